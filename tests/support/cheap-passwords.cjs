/*
 * Loaded into the services that tests start, and by tests of signing in: passwords that begin so cost next to nothing to hash, as
 * those of the people that `signUp` makes. A hash takes a fifth of a second and 32 MiB, and a run makes thousands of people
 * whose password nobody tries. All other passwords cost what they cost.
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
