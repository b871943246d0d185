/*
 * Makes passwords with this prefix cheap to hash, such as those of the people that `signUp` makes. It is loaded into the
 * services that tests start, and by tests of signing in. A hash takes a fifth of a second and 32 MiB, and a run makes
 * thousands of people who never sign in again. All other passwords keep their cost.
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
