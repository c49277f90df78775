#!/bin/sh
exec /work/wt/slot node --experimental-vm-modules --disable-warning=ExperimentalWarning node_modules/jest/bin/jest.js -w 1 "$@"
