# SPDX-License-Identifier: MIT
"""Drives headless Chromium by the DevTools protocol over two pipes, with the
standard library alone."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
COMPLAINTS = ['Runtime.exceptionThrown', 'Log.entryAdded', 'Runtime.consoleAPICalled',
              'Page.javascriptDialogOpening']


def find():
    """Returns the path, or None if no browser starts."""
    wanted = os.environ.get('CHROMIUM')
    for path in map(shutil.which, [wanted] if wanted else NAMES):
        if path and subprocess.run([path, '--version'], capture_output=True,
                                   check=False).returncode == 0:
            return path
    return None


class Page:
    """One page; `events` are all its events so far."""

    def __init__(self, path, timeout=60):
        self.timeout, self.number, self.events, self.rest = timeout, 0, [], b''
        self.home = tempfile.mkdtemp()
        read_end, self.to = os.pipe()
        self.back, write_end = os.pipe()
        self.process = subprocess.Popen(
            ['sh', '-c', f'exec "$0" "$@" 3<&{read_end} 4>&{write_end}', path,
             '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
             '--no-first-run', '--hide-scrollbars', '--remote-debugging-pipe',
             f'--user-data-dir={self.home}'],
            pass_fds=(read_end, write_end), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.session = None
        target = self.call('Target.createTarget', url='about:blank')
        self.session = self.call('Target.attachToTarget', flatten=True,
                                 targetId=target['targetId'])['sessionId']
        for domain in ['Page', 'Runtime', 'Log', 'Network']:
            self.call(f'{domain}.enable')
        self.call('Network.emulateNetworkConditions', offline=True, latency=0,
                  downloadThroughput=-1, uploadThroughput=-1)

    def message(self, deadline):
        """Waits for the next message."""
        while b'\0' not in self.rest:
            left = max(0, deadline - time.monotonic())
            got = select.select([self.back], [], [], left)[0] and os.read(self.back, 1 << 16)
            if not got:
                raise TimeoutError('the browser does not answer')
            self.rest += got
        line, self.rest = self.rest.split(b'\0', 1)
        return json.loads(line)

    def call(self, method, **params):
        """Returns the result of a command; other messages are kept as events."""
        self.number += 1
        words = {'id': self.number, 'method': method, 'params': params}
        if self.session:
            words['sessionId'] = self.session
        os.write(self.to, json.dumps(words).encode() + b'\0')
        deadline = time.monotonic() + self.timeout
        while (message := self.message(deadline)).get('id') != self.number:
            self.events.append(message)
        if 'error' in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message['result']

    def open(self, url):
        """Loads a page."""
        seen = len(self.events)
        self.call('Page.navigate', url=url)
        deadline = time.monotonic() + self.timeout
        while not any(event.get('method') == 'Page.loadEventFired'
                      for event in self.events[seen:]):
            self.events.append(self.message(deadline))

    def run(self, script):
        """Evaluates an expression in the page."""
        result = self.call('Runtime.evaluate', expression=script, returnByValue=True)
        if 'exceptionDetails' in result:
            raise RuntimeError(json.dumps(result['exceptionDetails']))
        return result['result'].get('value')

    def size(self, width, height, dark=False):
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': 'dark' if dark else 'light'}])

    def complaints(self):
        """Returns console messages, exceptions and dialogs."""
        return [event for event in self.events if event.get('method') in COMPLAINTS]

    def requests(self):
        return [event['params']['request']['url'] for event in self.events
                if event.get('method') == 'Network.requestWillBeSent']

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)
