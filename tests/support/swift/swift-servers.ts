import { userInfo } from 'node:os';
import { join } from 'node:path';

export const storageServers = ['account', 'container', 'object'] as const;
export type SwiftServer = (typeof storageServers)[number] | 'proxy';
export const swiftServers: readonly SwiftServer[] = [...storageServers, 'proxy'];

/** The address of one server, and the folder of all settings and data. */
export interface SwiftLocation {
  readonly folder: string;
  readonly ports: Readonly<Record<SwiftServer, number>>;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly partBytesMin: number;
}

/** The settings file of one server. Each runs as one process. */
export function swiftSettings(location: SwiftLocation, server: SwiftServer): string {
  const common = `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${location.ports[server]}
workers = 0
user = ${userInfo().username}
swift_dir = ${location.folder}
log_level = WARNING
log_address = ${join(location.folder, 'no-log-socket')}
`;
  return server === 'proxy' ? common + proxySettings(location) : common + storageSettings(location, server);
}

/** The settings that all servers share. */
export const swiftHashSettings = `[swift-hash]
swift_hash_path_prefix = test
swift_hash_path_suffix = test
[storage-policy:0]
name = only
default = yes
`;

/**
 * A listing is current at once only if the object server waits for the container server: no updater runs here.
 */
const containerUpdateSeconds = 60;

function storageSettings({ folder }: SwiftLocation, server: string): string {
  return `devices = ${join(folder, 'devices')}
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${server}-server
[app:${server}-server]
use = egg:swift#${server}
${server === 'object' ? `container_update_timeout = ${containerUpdateSeconds}` : ''}
`;
}

const proxyFilters: Readonly<Record<string, string>> = {
  catch_errors: 'catch_errors',
  gatekeeper: 'gatekeeper',
  healthcheck: 'healthcheck',
  'proxy-logging': 'proxy_logging',
  cache: 'memcache', // in memory: see serveProgram
  listing_formats: 'listing_formats',
  bulk: 'bulk',
  s3api: 's3api',
  tempauth: 'tempauth',
  copy: 'copy',
  slo: 'slo',
  dlo: 'dlo',
  versioned_writes: 'versioned_writes',
};

/** A server that does not respond during the start would be skipped for a minute, and there is no other one. */
const neverSuppressed = 1_000_000_000;

/** Short pages: a test of a long list needs few objects. */
export const swiftListingMax = 20;

function proxySettings({ accessKeyId, secretAccessKey, partBytesMin }: SwiftLocation): string {
  const [account = '', user = ''] = accessKeyId.split(':');
  const options: Readonly<Record<string, string>> = {
    s3api: `location = us-east-1\nmax_bucket_listing = ${swiftListingMax}\nmin_segment_size = ${partBytesMin}\n`,
    tempauth: `user_${account}_${user} = ${secretAccessKey} .admin\n`,
    versioned_writes: 'allow_versioned_writes = true\n',
  };
  const filters = Object.entries(proxyFilters).map(
    ([name, egg]) => `[filter:${name}]\nuse = egg:swift#${egg}\n${options[name] ?? ''}`,
  );
  return `[pipeline:main]
pipeline = ${Object.keys(proxyFilters).join(' ')} proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
node_timeout = 60
conn_timeout = 10
error_suppression_limit = ${neverSuppressed}
${filters.join('')}`;
}

/**
 * Arguments: folder, then the ports of account, container and object. Loads everything once and makes the
 * missing rings (one copy of everything, on one device). Then runs each server in its own process. All end with
 * the process that started this one, in any way (prctl: PR_SET_PDEATHSIG), and when one of them does.
 *
 * Each server runs `monkey_patch` first. It searches all loaded modules repeatedly, so it runs here once, while
 * there are few.
 *
 * The proxy caches existing accounts and buckets in its own memory, as it would in memcached. Otherwise each
 * request asks two more servers. A missing one is not cached, because another request may just create it. No
 * test removes one.
 */
export const serveProgram = `
import ctypes, json, os, sys
from time import time as now
libc = ctypes.CDLL(None)
libc.prctl(1, 9)
import eventlet
eventlet.monkey_patch(all=False, socket=True, select=True, thread=True)
from swift.common.utils import set_swift_dir
folder, *ports = sys.argv[1:]
set_swift_dir(folder)
from swift.common.wsgi import run_wsgi
import pkg_resources
import swift.account.server, swift.container.server, swift.obj.server, swift.proxy.server
import swift.common.middleware.s3api.s3api
import swift.common.middleware.memcache
class OwnMemory:
    def __init__(self, servers, **options):
        self.kept = {}
    def get(self, key, **options):
        text, until = self.kept.get(key, ('null', 0))
        return json.loads(text) if now() < until else None
    def set(self, key, value, time=0, **options):
        if isinstance(value, dict) and value.get('status') in (200, 204):
            self.kept[key] = json.dumps(value), now() + time
    def delete(self, key, **options):
        self.kept.pop(key, None)
swift.common.middleware.memcache.MemcacheRing = OwnMemory
from swift.common.ring import RingBuilder
for name, port in zip(('account', 'container', 'object'), ports):
    ring = '%s/%s.ring.gz' % (folder, name)
    if not os.path.exists(ring):
        builder = RingBuilder(2, 1, 0)
        builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1.0, 'meta': ''})
        builder.rebalance()
        builder.get_ring().save(ring)
for server in ('account', 'container', 'object', 'proxy'):
    if os.fork() == 0:
        libc.prctl(1, 9)
        os._exit(run_wsgi('%s/%s-server.conf' % (folder, server), server + '-server', verbose=True) or 0)
os.wait()
sys.exit('a server ended')
`;
