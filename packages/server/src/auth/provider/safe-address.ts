/** Whether codes and secrets may be sent to the address: over https, or within the machine. */
export function isSafeAddress({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true;
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
