#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Reads names of charts from stdin, one per line, and writes an HTML page of the
# SVGs to stdout. The page runs no script and loads nothing else.
cat <<'END'
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'; img-src 'self' file:">
<title>Charts - scanbench</title>
END
exec sed -n 's|^[a-zA-Z0-9_.-]*\.svg$|<p><img src="&" alt="">|p'
