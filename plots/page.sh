#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Of the names of charts on stdin, a line each, a page of the SVGs on stdout, for
# a browser, in which nothing runs and nothing else is loaded.
cat <<'END'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' file:">
<title>Charts - scanbench</title>
END
exec sed -n 's|^[a-zA-Z0-9_.-]*\.svg$|<p><img src="&" alt="">|p'
