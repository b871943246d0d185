import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressBucket, addressNetworks } from '../../src/service/people/address-bucket.ts';

test('addresses of one IPv6 /64 are counted together', () => {
  assert.equal(addressBucket('2001:db8:1:2::1'), '2001:db8:1:2::/64');
  assert.equal(addressBucket('2001:0DB8:1:2:ffff:ffff:ffff:ffff'), '2001:db8:1:2::/64');
  assert.notEqual(addressBucket('2001:db8:1:3::1'), addressBucket('2001:db8:1:2::1'));
});

test('IPv4 addresses are counted one by one, however they are written', () => {
  assert.equal(addressBucket('192.0.2.7'), '192.0.2.7');
  assert.equal(addressBucket('::ffff:192.0.2.7'), '192.0.2.7');
  assert.equal(addressBucket('::ffff:c000:207'), '192.0.2.7');
});

test('short and scoped IPv6 addresses are understood', () => {
  assert.equal(addressBucket('::1'), '0:0:0:0::/64');
  assert.equal(addressBucket('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(addressBucket('1::'), '1:0:0:0::/64');
});

test('invalid addresses share one count instead of escaping the limit', () => {
  assert.equal(addressBucket(''), 'unknown');
  assert.equal(addressBucket('not an address'), 'unknown');
});

test('an address is part of wider networks, which have larger shares', () => {
  const named = (address: string) => addressNetworks(address).map(({ name, share }) => `${name} x${share}`);
  assert.deepEqual(named('2001:db8:1:2345::1'), [
    '2001:db8:1:2345::/64 x1',
    '2001:db8:1:2300::/56 x5',
    '2001:db8:1::/48 x20',
    '2001:db8::/32 x50',
  ]);
  assert.deepEqual(named('::ffff:192.0.2.7'), ['192.0.2.7 x1', '192.0.2.0/24 x5', '192.0.0.0/16 x20']);
  assert.deepEqual(named('?'), ['unknown x1']);
});
