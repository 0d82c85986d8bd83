// `npm run console:screenshots`: pictures of each page of the console into docs/console/, in light, dark and at the width
// of a phone, of a platform of its own with conversations of the refund desk. Names after `--` choose some of them.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium, type Browser, type Page } from "playwright-core";

import { findChromium, HOW_TO_INSTALL } from "../../examples/ag-ui/find-chromium.ts";
import { startDemoTools } from "../demo-tools.ts";
import { openApi, readString, type LocalApi } from "../local-api.ts";
import { startPlatform } from "../platform.ts";
import { provisionDemo } from "../provision-demo.ts";
import { reportFailure, StartFailure } from "../start-failure.ts";
import { fillAbilities } from "./fill-abilities.ts";
import { fillMemory } from "./fill-memory.ts";
import { fillRooms } from "./fill-rooms.ts";
import { fillWaits } from "./fill-waits.ts";
import { makeChangedDesk } from "./make-changed-desk.ts";
import { startCalendar, startTravelAgency } from "./start-mcp-servers.ts";
import { startWarehouse } from "./start-warehouse.ts";
import { shotsOf } from "./shots.ts";

const FOLDER = fileURLToPath(new URL("../../docs/console", import.meta.url));
const OPERATOR_KEY = "rop_of-the-screenshots";
/** Quality of WebP, from 0 to 1: text stays sharp, and a picture has some 20 kB. */
const QUALITY = 0.9;

/** A drawing of a cup, 160 by 150 pixels. */
const CUP_PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAKAAAACWCAIAAADWjhTKAAABoElEQVR42u3cu40CQRBF0QkLHwmXvMkDB5HCSOBi4NAfXtcc6Sawe4QzXVXb87GrcJt/AWABFmABFmABFmDAAizAAizAAizAgAVYgAVYgAVYgAUYsAALsAALsAALMGABFmABFmABFmDAAizAAizAAizAAgxYgAVYgFUQ+Hq5HyrAgAEDBgwYMGDAgAEDBvzR+XT7FuDiwEOlAQcBj2AGHAfclxlwKHAvY8C5wF2MAUcDtxsDTgduNAa8AHCLMeA1gH82BjwV+P2HTzYG/Odv0YDrPzYMNQac8poEuP5z4QhjwFnvwYABA158oqOvMeDEkR3AgAEDBgwYMGDAY+aiAfsFAwYMGDBgwIABA/YtGrDXJMCATXQANpMF2FQlYHPRgG022E2ymwTYdqH9YMA2/AG70QHYlR3A7mQBdunOrUrArs0Cdi8aMGDAgAEDBgwYMGDAgAEDBgwYMGDAgAEDBgwYMGDAgHcVDjBgAVZ94PbtOUXPRSMBLMACDBgwYMCAAQMGfCRg+VQpwAIswAIMWIAFWIAFWIAFGLAAC7AAa14vYB0RCOe/Y58AAAAASUVORK5CYII=";

const isChosen = (name: string) => {
  const names = process.argv.slice(2);
  return names.length === 0 || names.includes(name);
};

/** The end users of the sessions in the list, and what each has asked; the last ones are the newest. */
const QUESTIONS = [
  ["ann@shop.example", "Where is my order A-1001?"],
  ["carla", "Do you have boots?"],
  ["dmitri", "Please refund order A-1001."],
  ["erin", "Where is my order A-1001?"],
  ["user 4711", "Please refund order A-1001."],
] as const;

interface Variant {
  readonly name: "light" | "dark" | "phone";
  readonly colorScheme: "light" | "dark";
  readonly width: number;
  readonly height: number;
}

const VARIANTS: readonly Variant[] = [
  { name: "light", colorScheme: "light", width: 1_120, height: 700 },
  { name: "dark", colorScheme: "dark", width: 1_120, height: 700 },
  { name: "phone", colorScheme: "light", width: 390, height: 780 },
];

/** A link that was not used, for the picture of the sign-in, and signing in with another. */
async function signIn(page: Page, api: LocalApi): Promise<void> {
  await page.goto(await makeLink(api));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
}

async function makeLink(api: LocalApi): Promise<string> {
  return readString(await api.call("POST", "/v1/console-links", {}), "url");
}

/** Every session's first reply; those that ask for a refund wait for a person then. @returns the last one. */
async function fillSessions(api: LocalApi, agentId: string): Promise<string> {
  let last = "";
  for (const [end_user_id, input] of QUESTIONS) {
    // One after the other, since the list is in this order.
    const session = await api.call("POST", "/v1/sessions", { agent_id: agentId, end_user_id });
    last = readString(session, "id");
    await api.call("POST", `/v1/sessions/${last}/replies`, { input });
  }
  return last;
}

/** A file with a preview. */
async function storePicture(baseUrl: string, apiKey: string): Promise<void> {
  await fetch(`${baseUrl}/v1/files?filename=cup.png`, {
    method: "POST",
    headers: { Authorization: `Bearer ${apiKey}`, "Content-Type": "image/png" },
    body: Buffer.from(CUP_PNG, "base64"),
  });
}

/** The picture as WebP, which the browser encodes: Playwright has PNG and JPEG alone. */
async function saveShot(browser: Browser, page: Page, file: string): Promise<void> {
  const png = (await page.screenshot({ animations: "disabled" })).toString("base64");
  const encoder = await browser.newPage();
  const webp = await encoder.evaluate<string>(`(async () => {
    const picture = new Image();
    picture.src = "data:image/png;base64,${png}";
    await picture.decode();
    const canvas = Object.assign(document.createElement("canvas"), {
      width: picture.width,
      height: picture.height,
    });
    canvas.getContext("2d").drawImage(picture, 0, 0);
    return canvas.toDataURL("image/webp", ${QUALITY});
  })()`);
  await encoder.close();
  writeFileSync(file, Buffer.from(webp.slice(webp.indexOf(",") + 1), "base64"));
}

/** People who are invited to the tenant, and those of the operator. */
async function invitePeople(tenant: LocalApi, operator: LocalApi): Promise<void> {
  const ofTenant = [
    { name: "Ada Lopez", email: "ada@shop.example", role: "owner" },
    { name: "Ben Okafor", email: "ben@shop.example", role: "developer" },
    { name: "Chioma Weiss", email: "chioma@shop.example", role: "approver" },
  ];
  const ofOperator = [
    { name: "Noor Haddad", email: "noor@platform.example", role: "owner" },
    { name: "Sven Lund", email: "sven@platform.example", role: "support" },
  ];
  for (const person of ofTenant) await tenant.call("POST", "/v1/members", person);
  for (const person of ofOperator) await operator.call("POST", "/v1/operator/members", person);
}

/** A session in the middle of its plan. @returns its id. */
async function makePlan(api: LocalApi): Promise<string> {
  const agent = await api.call("POST", "/v1/agents", { name: "Researcher", plan: {} });
  const body = { agent_id: readString(agent, "id"), title: "Cups for spring" };
  const id = readString(await api.call("POST", "/v1/sessions", body), "id");
  await api.call("PUT", `/v1/sessions/${id}/plan`, {
    plan: {
      name: "Which cups to order for spring",
      expected_outcome: "A list of six cups, with prices and a reason for each.",
      subtasks: [
        { name: "Read last spring's sales", description: "By week, without returns." },
        { name: "Ask three makers for prices", description: "For 200 pieces of each." },
        {
          name: "Write the list",
          acceptance: { kind: "person", criteria: "No cup costs more than 9 EUR to buy." },
        },
      ],
    },
  });
  const done = '{"subtask_idx": 0, "subtask_outcome": "Blue cups sold best: 412 of 1,090."}';
  const input = `/call finish_subtask ${done}\n/say The sales are read.`;
  await api.call("POST", `/v1/sessions/${id}/replies`, { input });
  return id;
}

async function main(): Promise<void> {
  const program = findChromium();
  if (program === null) throw new StartFailure(HOW_TO_INSTALL);
  const stateFolder = mkdtempSync(join(tmpdir(), "reprise-screenshots-"));
  const tools = await startDemoTools(0);
  const warehouse = await startWarehouse();
  const [travel, calendar] = await Promise.all([startTravelAgency(), startCalendar()]);
  const platform = await startPlatform({
    port: 0,
    stateFolder,
    operatorKey: OPERATOR_KEY,
    keyPepper: "pepper-of-the-screenshots",
    masterKey: btoa("master-key-of-the-screenshots-32"),
    cardKey: btoa("card-key-of-the-screenshots---32"),
  });
  const { baseUrl } = platform;
  const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  try {
    const demo = { baseUrl, operatorKey: OPERATOR_KEY, toolsPort: tools.port, known: {} };
    const ids = await provisionDemo(demo);
    const [tenant, operator] = [openApi(baseUrl, ids.api_key), openApi(baseUrl, OPERATOR_KEY)];
    const endpoint = await tenant.call("POST", "/v1/webhook-endpoints", {
      url: `http://127.0.0.1:${tools.port}/lookup_order`,
      description: "Order system",
      events: ["reply.*", "confirmation.required"],
    });
    const endpointId = readString(endpoint, "id");
    const changed = await makeChangedDesk(tenant, tools.port);
    const sessionId = await fillSessions(tenant, ids.agent_id);
    const unused = await tenant.call("POST", "/v1/agents", { name: "Shoe finder" });
    const other = await operator.call("POST", "/v1/tenants", { name: "Bike rental" });
    const tenantId = readString(other, "id");
    await storePicture(baseUrl, ids.api_key);
    await invitePeople(tenant, operator);
    const emptyAgent = readString(unused, "id");
    const planned = await makePlan(tenant);
    const abilities = await fillAbilities(tenant, `http://127.0.0.1:${tools.port}/hook`);
    const mcpServer = await tenant.call("POST", "/v1/mcp-servers", {
      name: "warehouse",
      url: warehouse.url,
    });
    const waits = await fillWaits(tenant, { travel: travel.url, calendar: calendar.url });
    const remembered = await fillMemory(tenant);
    const rooms = await fillRooms(tenant);
    const shown = {
      sessionId,
      agentId: ids.agent_id,
      emptyAgent,
      endpointId,
      tenantId,
      planned,
      changed,
      mcpServerId: readString(mcpServer, "id"),
      ...abilities,
      ...remembered,
      ...rooms,
      ...waits,
    };
    mkdirSync(FOLDER, { recursive: true });
    for (const { name, colorScheme, width, height } of VARIANTS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      await page.goto(await makeLink(tenant));
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      if (isChosen("sign-in")) await saveShot(browser, page, join(FOLDER, `sign-in-${name}.webp`));
      await signIn(page, operator);
      await signIn(page, tenant);
      for (const shot of shotsOf(shown)) {
        if (!isChosen(shot.name)) continue;
        await page.goto(`${baseUrl}${shot.path}`);
        await shot.ready(page);
        // A page with a stream is never idle.
        if (!shot.isStreaming) await page.waitForLoadState("networkidle");
        await saveShot(browser, page, join(FOLDER, `${shot.name}-${name}.webp`));
      }
      await context.close();
    }
  } finally {
    const servers = [platform, tools, warehouse, travel, calendar];
    await Promise.allSettled([browser.close(), ...servers.map((server) => server.stop())]);
    rmSync(stateFolder, { recursive: true, force: true });
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
