/** Builds the server, and what it hands out: the web app, and the command line as a package. What is there already is left alone. */
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
