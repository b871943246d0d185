/** A version, in the header to rely on and as a tag in the form that caches know. */
export function versionHeaders(version: number) {
  return { 'x-service-version': String(version), etag: `"${version}"` };
}
