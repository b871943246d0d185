/*
 * Loaded into the services that tests start: the passwords of the people that `signUp` makes cost next to nothing to hash. A hash takes a
 * fifth of a second and 32 MiB, and a run makes thousands of people whose password nobody tries. All other passwords cost
 * what they cost: those that a test types itself, and those that it tries to guess.
 */
'use strict';

const crypto = require('node:crypto');
const { syncBuiltinESMExports } = require('node:module');

const cheapBeginning = 'cheap to hash ';
const least = { N: 2, r: 1, p: 1 };

const { scrypt } = crypto;
crypto.scrypt = (password, salt, keyBytes, options, done) =>
  scrypt(
    password,
    salt,
    keyBytes,
    typeof password === 'string' && password.startsWith(cheapBeginning) ? { ...options, ...least } : options,
    done,
  );
syncBuiltinESMExports();
