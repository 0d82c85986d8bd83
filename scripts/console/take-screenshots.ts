// `npm run console:screenshots`: pictures of each page of the console into docs/console/, in light, dark and at the width
// of a phone, of a platform of its own with conversations of the refund desk.
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

const FOLDER = fileURLToPath(new URL("../../docs/console", import.meta.url));
const OPERATOR_KEY = "rop_of-the-screenshots";
/** Of WebP, from 0 to 1: text stays sharp, and a picture has some 20 kB. */
const QUALITY = 0.9;

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

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Brings the page into the state to be shown. */
  readonly ready: (page: Page) => Promise<void>;
}

function shotsOf(sessionId: string, emptyAgent: string): readonly Shot[] {
  const table = (page: Page) => page.getByRole("table").waitFor();
  return [
    { name: "sessions", path: "/console/sessions", ready: table },
    {
      name: "no-sessions",
      path: `/console/sessions?agent_id=${emptyAgent}`,
      ready: (page) => page.getByText("No session fits").waitFor(),
    },
    {
      name: "session",
      path: `/console/sessions/${sessionId}`,
      ready: (page) => page.getByRole("list", { name: "Messages" }).waitFor(),
    },
    {
      name: "events",
      path: `/console/sessions/${sessionId}?tab=events`,
      ready: async (page) => {
        const events = page.getByRole("region", { name: "Events" });
        await events.getByRole("button").nth(2).click();
      },
    },
    { name: "agents", path: "/console/agents", ready: table },
    {
      name: "not-found",
      path: "/console/sessions/ses_none",
      ready: (page) => page.getByRole("heading", { name: "There is nothing here" }).waitFor(),
    },
    { name: "tenants", path: "/operator/tenants", ready: table },
  ];
}

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
    // oxlint-disable-next-line no-await-in-loop
    const session = await api.call("POST", "/v1/sessions", { agent_id: agentId, end_user_id });
    last = readString(session, "id");
    // oxlint-disable-next-line no-await-in-loop
    await api.call("POST", `/v1/sessions/${last}/replies`, { input });
  }
  return last;
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

async function main(): Promise<void> {
  const program = findChromium();
  if (program === null) throw new StartFailure(HOW_TO_INSTALL);
  const stateFolder = mkdtempSync(join(tmpdir(), "reprise-screenshots-"));
  const tools = await startDemoTools(0);
  const platform = await startPlatform({
    port: 0,
    stateFolder,
    operatorKey: OPERATOR_KEY,
    keyPepper: "pepper-of-the-screenshots",
    masterKey: btoa("master-key-of-the-screenshots-32"),
  });
  const { baseUrl } = platform;
  const browser = await chromium.launch({ executablePath: program, args: ["--no-sandbox"] });
  try {
    const demo = { baseUrl, operatorKey: OPERATOR_KEY, toolsPort: tools.port, known: {} };
    const ids = await provisionDemo(demo);
    const [tenant, operator] = [openApi(baseUrl, ids.api_key), openApi(baseUrl, OPERATOR_KEY)];
    const sessionId = await fillSessions(tenant, ids.agent_id);
    const unused = await tenant.call("POST", "/v1/agents", { name: "Shoe finder" });
    await operator.call("POST", "/v1/tenants", { name: "Bike rental" });
    mkdirSync(FOLDER, { recursive: true });
    for (const { name, colorScheme, width, height } of VARIANTS) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme });
      const page = await context.newPage();
      await page.goto(await makeLink(tenant));
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await saveShot(browser, page, join(FOLDER, `sign-in-${name}.webp`));
      await signIn(page, operator);
      await signIn(page, tenant);
      for (const shot of shotsOf(sessionId, readString(unused, "id"))) {
        await page.goto(`${baseUrl}${shot.path}`);
        await shot.ready(page);
        await page.waitForLoadState("networkidle");
        await saveShot(browser, page, join(FOLDER, `${shot.name}-${name}.webp`));
      }
      await context.close();
    }
  } finally {
    await Promise.allSettled([browser.close(), platform.stop(), tools.stop()]);
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
