'use strict';

const hooks = require('node:async_hooks');

const { createHook } = hooks;
const runner = 'node:internal/test_runner/';

/*
 * Loaded into each process of tests before Node's test runner. That follows every promise to the test that made it, and an `await`
 * takes ten times as long: up to two thirds of what a file costs. All that it is for is to name the test of an error that nobody
 * awaited: here such an error ends the file, with the place that it comes from.
 */
hooks.createHook = (callbacks) => {
  const isRunners = (new Error().stack ?? '').includes(runner);
  if (!isRunners) return createHook(callbacks);
  for (const event of ['uncaughtException', 'unhandledRejection']) process.once(event, endFile);
  return createHook({ ...callbacks, trackPromises: false });
};

function endFile(error) {
  console.error(error);
  process.exit(1);
}
