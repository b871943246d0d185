/** Fields whose values never reach the log, whatever record carries them. */
const secretFields: ReadonlySet<string> = new Set([
  'x-api-key',
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'newpassword',
  'currentpassword',
  'device_code',
  'api_key',
  'apikey',
  'key',
  'secret',
  'token',
]);
const redacted = '[redacted]';
/** Deeper than any record of ours: what lies below is left out, so that nothing hides there. */
const depthMax = 5;

/** The record with secret values replaced. Costs a look at each field when there is none, as in most records. */
export function cutSecrets(record: Record<string, unknown>): Record<string, unknown> {
  return cutFields(record, 0);
}

function cutFields(record: Record<string, unknown>, depth: number): Record<string, unknown> {
  let cut = record;
  for (const field in record) {
    const value = record[field];
    const shown = secretFields.has(field.toLowerCase()) ? redacted : cutValue(value, depth + 1);
    if (shown === value) continue;
    if (cut === record) cut = { ...record };
    cut[field] = shown;
  }
  return cut;
}

function cutValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth >= depthMax) return redacted;
  if (Array.isArray(value)) return value.map((item) => cutValue(item, depth + 1));
  return cutFields(Object.fromEntries(Object.entries(value)), depth);
}
