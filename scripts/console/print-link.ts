// `npm run console`: a new sign-in link for the platform that `npm start` runs.
import { join, resolve } from "node:path";

import { openApi, readString } from "../local-api.ts";
import { reportFailure, StartFailure } from "../start-failure.ts";
import { readState } from "../state-file.ts";

interface DevState {
  readonly base_url: string;
  readonly operator_key: string;
  readonly api_key: string;
}

async function main(): Promise<void> {
  const folder = resolve(process.env["REPRISE_STATE"] || ".reprise");
  const dev = readState<DevState>(join(folder, "dev.json"), "`npm start` makes it anew");
  if (!dev) throw new StartFailure(`${folder} has no platform: run \`npm start\` first`);
  const isOperator = process.argv.includes("--operator");
  const key = isOperator ? dev.operator_key : dev.api_key;
  const answer = await openApi(dev.base_url, key)
    .call("POST", "/v1/console-links", {})
    .catch(() => {
      throw new StartFailure(`${dev.base_url} does not answer: run \`npm start\` first`);
    });
  console.log(readString(answer, "url"));
}

try {
  await main();
} catch (error) {
  reportFailure(error);
  process.exitCode = 1;
}
