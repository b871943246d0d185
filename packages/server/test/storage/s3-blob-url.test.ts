import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseBlobUrl } from '../../src/storage/blobs/s3/parse-blob-url.ts';

describe('the address of an S3-compatible store', () => {
  it('names bucket, prefix, endpoint and region', () => {
    assert.deepEqual(
      parseBlobUrl(
        's3://my-bucket/some/prefix/?endpoint=https://objects.example.org:9000&region=eu-central-1',
      ),
      {
        bucket: 'my-bucket',
        prefix: 'some/prefix',
        endpoint: 'https://objects.example.org:9000',
        region: 'eu-central-1',
        pathStyle: true,
      },
    );
  });

  it('without an endpoint is Amazon, with the bucket in the host name', () => {
    const location = { bucket: 'my-bucket', prefix: '', endpoint: null, region: null, pathStyle: false };
    assert.deepEqual(parseBlobUrl('s3://my-bucket'), location);
    assert.deepEqual(parseBlobUrl('s3://my-bucket/'), location);
    assert.deepEqual(parseBlobUrl('s3://my-bucket?pathStyle=true'), { ...location, pathStyle: true });
  });

  it('never contains credentials, and the error does not repeat them', () => {
    for (const text of [
      's3://AKIA:topsecret@my-bucket/',
      's3://my-bucket?endpoint=https://AKIA:topsecret@objects.example.org',
      's3://my-bucket?secretAccessKey=topsecret',
    ]) {
      assert.throws(
        () => parseBlobUrl(text),
        ({ message }: Error) => !message.includes('topsecret') && !message.includes('AKIA'),
      );
    }
    assert.throws(() => parseBlobUrl('s3://AKIA:topsecret@my-bucket/'), /AWS_ACCESS_KEY_ID/);
  });

  it('that is invalid is rejected, with what to write instead', () => {
    for (const text of [
      '',
      'my-bucket',
      'https://my-bucket.example.org',
      's3://',
      's3://A',
      's3://My_Bucket',
      's3://my-bucket:9000',
      's3://my-bucket/#part',
      's3://my-bucket/a//b',
      's3://my-bucket/.hidden',
      's3://my-bucket/a%2fb',
      's3://my-bucket/a/b/c/d/e/f/g/h/i',
      's3://my-bucket?endpoint=objects.example.org',
      's3://my-bucket?endpoint=ftp://objects.example.org',
      's3://my-bucket?endpoint=https://objects.example.org/path',
      's3://my-bucket?region=eu_central',
      's3://my-bucket?region=a&region=b',
      's3://my-bucket?pathStyle=yes',
      's3://my-bucket?ssl=true',
    ]) {
      assert.throws(() => parseBlobUrl(text), /^Error: (must|takes)/, text);
    }
  });
});
