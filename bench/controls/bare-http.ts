import { createServer } from 'node:http';

/** A control: node:http responds to every request from memory, the least work of a server on this runtime. */
const [port = '', bytes = ''] = process.argv.slice(2);
const body = Buffer.alloc(Number(bytes), 'x');
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => {});
