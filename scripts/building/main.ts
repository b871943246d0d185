/** Builds the server, and the web app and the package of the CLI that it delivers. Skips current builds. */
import { buildCli, describeCliBuild } from './build-cli.ts';
import { buildServer, describeServerBuild } from './build-server.ts';
import { buildWeb, describeWebBuild } from './build-web.ts';

for (const said of [
  describeServerBuild(await buildServer()),
  describeWebBuild(await buildWeb()),
  describeCliBuild(await buildCli()),
]) {
  if (said !== null) console.log(said);
}
