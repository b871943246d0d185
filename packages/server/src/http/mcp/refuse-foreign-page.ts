import { isIP } from 'node:net';
import { WorkspaceError } from '@stoa/core';

/**
 * Refuses what a page of another origin sends through its visitor's browser, also after its name was pointed at this
 * server (DNS rebinding). Programs send no Origin; a browser always does.
 * @param own addresses of this server, as origins.
 * @throws WorkspaceError `foreign_origin`, `foreign_host`
 */
export function refuseForeignPage(
  { origin, host }: { readonly origin: string | null; readonly host: string | null },
  own: readonly string[],
): void {
  if (origin !== null && !own.includes(origin.toLowerCase())) throw new WorkspaceError('foreign_origin');
  const name = hostNameOf(host ?? '');
  // An address in digits is no name, so nobody can have pointed it here; localhost is always this machine.
  if (isIP(name) !== 0 || name === 'localhost') return;
  if (name === '' || own.every((address) => URL.parse(address)?.hostname !== name)) {
    throw new WorkspaceError('foreign_host');
  }
}

/** `Name:4700` → `name`, `[::1]:4700` → `::1`; empty when it is no host. */
function hostNameOf(host: string): string {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  return name.startsWith('[') ? name.slice(1, -1) : name;
}
