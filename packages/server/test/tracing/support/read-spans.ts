/** The fields read of a span. Ids are in hexadecimal; an empty string means no id. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Whether it ended in an error. */
  readonly isError: boolean;
  /** Of the process. */
  readonly resource: Readonly<Record<string, string | number | boolean>>;
}

const errorCode = 2;

/** The spans of an `ExportTraceServiceRequest`, by the field numbers of opentelemetry-proto. */
export function readSpans(body: Uint8Array): readonly ReceivedSpan[] {
  return messages(readFields(body), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1).flatMap((each) => messages(each, 1)));
    const spans = messages(resourceSpans, 2).flatMap((scopeSpans) => messages(scopeSpans, 2));
    return spans.map((span) => ({
      traceId: hex(span, 1),
      spanId: hex(span, 2),
      parentSpanId: hex(span, 4),
      name: text(span, 5),
      kind: number(span, 6),
      attributes: attributesOf(messages(span, 9)),
      isError: messages(span, 15).some((status) => number(status, 3) === errorCode),
      resource,
    }));
  });
}

/** The values of a message's fields, by their numbers: bytes, or a number. */
type Fields = ReadonlyMap<number, readonly (Uint8Array | number)[]>;

function readFields(bytes: Uint8Array): Fields {
  const fields = new Map<number, (Uint8Array | number)[]>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = view.getUint8(at);
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  const take = (count: number) => {
    at += count;
    return bytes.subarray(at - count, at);
  };
  while (at < bytes.length) {
    const tag = varint();
    const values = fields.get(Math.floor(tag / 8)) ?? [];
    fields.set(Math.floor(tag / 8), values);
    switch (tag % 8) {
      case 0:
        values.push(varint());
        break;
      case 1:
        values.push(take(8));
        break;
      case 2:
        values.push(take(varint()));
        break;
      case 5:
        values.push(take(4));
        break;
      default:
        throw new Error(`no field has the form ${tag % 8}`);
    }
  }
  return fields;
}

function messages(fields: Fields, at: number): readonly Fields[] {
  return (fields.get(at) ?? []).map((value) => readFields(bytesOf(value)));
}

function bytesOf(value: Uint8Array | number | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value === undefined) return new Uint8Array();
  throw new Error('a number is not bytes');
}

function hex(fields: Fields, at: number): string {
  return Buffer.from(bytesOf(fields.get(at)?.[0])).toString('hex');
}

function text(fields: Fields, at: number): string {
  return Buffer.from(bytesOf(fields.get(at)?.[0])).toString();
}

function number(fields: Fields, at: number): number {
  const value = fields.get(at)?.[0] ?? 0;
  if (typeof value === 'number') return value;
  throw new Error('bytes are not a number');
}

function attributesOf(pairs: readonly Fields[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [value] = messages(pair, 2);
      if (value === undefined) throw new Error('an attribute has no value');
      return [text(pair, 1), anyValue(value)];
    }),
  );
}

function anyValue(value: Fields): string | number | boolean {
  if (value.has(1)) return text(value, 1);
  if (value.has(2)) return number(value, 2) === 1;
  if (value.has(3)) return number(value, 3);
  throw new Error('a value is of no kind that is used');
}
