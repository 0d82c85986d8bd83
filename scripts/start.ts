// `npm start`: runs the platform locally, with the refund desk demo set up.
import { join, resolve } from "node:path";

import { startDemoTools } from "./demo-tools.ts";
import type { DemoTools } from "./demo-tools.ts";
import { openApi, readString } from "./local-api.ts";
import { loadSecrets } from "./local-secrets.ts";
import { startPlatform } from "./platform.ts";
import type { Platform } from "./platform.ts";
import { provisionOwner } from "./provision-owner.ts";
import { provisionDemo } from "./provision-demo.ts";
import type { DemoIds } from "./provision-demo.ts";
import { reportFailure, StartFailure } from "./start-failure.ts";
import { openStateFolder, readState, writeState } from "./state-file.ts";

const DEFAULT_PORT = 8787;
const LOST_WITH_DEMO = "the demo's tools get another port, and its shop a new session";
const LOST_WITH_DEV =
  "the API key that was printed is lost with it, and the demo begins with a new tenant";

interface DemoState {
  readonly tools_port: number;
  readonly session_id?: string;
}

const running: { platform?: Platform; tools?: DemoTools; isStopping?: boolean } = {};

async function main(): Promise<void> {
  const port = readPort(process.env["PORT"]);
  const stateFolder = resolve(process.env["REPRISE_STATE"] || ".reprise");
  openStateFolder(stateFolder);
  const paths = {
    secrets: join(stateFolder, "secrets.json"),
    demo: join(stateFolder, "demo.json"),
    dev: join(stateFolder, "dev.json"),
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, stop);

  const secrets = loadSecrets(paths.secrets);
  const demo = readState<DemoState>(paths.demo, LOST_WITH_DEMO);
  const dev = readState<DemoIds>(paths.dev, LOST_WITH_DEV);
  const tools = await startDemoTools(portOf(demo));
  running.tools = tools;
  const loopbackPorts = process.env["LOOPBACK_PORTS"];
  const allowedSpecialNames = process.env["ALLOWED_SPECIAL_NAMES"];
  const platform = await startPlatform({
    port,
    stateFolder,
    operatorKey: secrets.operator_key,
    keyPepper: secrets.key_pepper,
    masterKey: secrets.master_key,
    cardKey: secrets.card_key,
    ...(loopbackPorts !== undefined && { loopbackPorts: `${loopbackPorts},${tools.port}` }),
    ...(allowedSpecialNames !== undefined && { allowedSpecialNames }),
  });
  running.platform = platform;

  const ids = await provisionDemo({
    baseUrl: platform.baseUrl,
    operatorKey: secrets.operator_key,
    toolsPort: tools.port,
    known: { ...dev, session_id: demo?.session_id },
  });
  writeState(paths.demo, { tools_port: tools.port, session_id: ids.session_id });
  writeState(paths.dev, {
    base_url: platform.baseUrl,
    operator_key: secrets.operator_key,
    api_key: ids.api_key,
    agent_id: ids.agent_id,
  });
  const tenant = openApi(platform.baseUrl, ids.api_key);
  const link = await tenant.call("POST", "/v1/console-links", {});
  const ownerLink = await provisionOwner(tenant);
  console.log(describe(platform.baseUrl, ids, readString(link, "url"), ownerLink));
}

/** The port that the demo's tools had: stored agents have it in their addresses. 0 for any. */
function portOf(demo: DemoState | undefined): number {
  const { tools_port: port } = demo ?? {};
  return Number.isInteger(port) && port !== undefined && port > 0 && port <= 65_535 ? port : 0;
}

function readPort(value: string | undefined): number {
  if (!value) return DEFAULT_PORT;
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new StartFailure(
    `PORT is "${value}", which is no port: give a number from 0 (any) to 65535`,
  );
}

function describe(
  baseUrl: string,
  ids: Required<DemoIds>,
  consoleLink: string,
  ownerLink: string | null,
): string {
  const owner =
    ownerLink === null
      ? ""
      : `Your passkey    ${ownerLink}
                once, within a day: you are the owner "You", and sign in with a passkey from then on
`;
  return `
Reprise runs on ${baseUrl}
API key         ${ids.api_key}
Console         ${consoleLink}
                one sign-in, within ten minutes; npm run console makes another link
${owner}
Ask the refund desk, and watch the reply come in:

curl -N ${baseUrl}/v1/sessions/${ids.session_id}/replies -H 'Authorization: Bearer ${ids.api_key}' -H 'Content-Type: application/json' -d '{"input":"Where is my order A-1001?","stream":true}'

npm run demo cuts a reply in the middle of a word and takes it up again. npm run approvals plays a refund that
a person allows from outside. Ctrl-C stops everything.
`;
}

/** The first signal shuts down cleanly, the second exits at once. Exiting kills the runtime. */
function stop(): void {
  if (running.isStopping) process.exit(130);
  running.isStopping = true;
  void Promise.allSettled([running.platform?.stop(), running.tools?.stop()]).then(() => {
    process.exit(0);
  });
}

try {
  await main();
} catch (error) {
  // A signal during the start makes the rest of it fail, which need not be reported.
  if (!running.isStopping) {
    reportFailure(error);
    await Promise.allSettled([running.platform?.stop(), running.tools?.stop()]);
    process.exit(1);
  }
}
