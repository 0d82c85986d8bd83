import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { listProcesses } from "../../scripts/processes.ts";
import { BROAD, sampled } from "../support/breadth.ts";
import { readDevFile, startProcess } from "../support/start-process.ts";
import type { Started } from "../support/start-process.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

function newFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "reprise-start-")));
}

async function putAway(stateFolder: string, started: Started): Promise<void> {
  started.kill("SIGKILL");
  await started.ended;
  for (const { pid } of listRuntimes(stateFolder)) process.kill(pid, "SIGKILL");
}

function listRuntimes(stateFolder: string): readonly { pid: number }[] {
  return listProcesses().filter((entry) => entry.command.startsWith(`${stateFolder}/workerd `));
}

async function readAgent(stateFolder: string): Promise<{ status: number; id: unknown }> {
  const { base_url, api_key, agent_id } = readDevFile(stateFolder);
  const response = await fetch(`${base_url}/v1/agents/${agent_id}`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  const { id } = (await response.json()) as { id: unknown };
  return { status: response.status, id };
}

async function takePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

// Each of these tests finds the folder as the one before has left it: a start costs more than everything else here.
describe("one state folder", () => {
  const folder = newFolder();
  let started: Started;

  async function startHere(port = "0", launcher: "node" | "npm" = "node"): Promise<void> {
    started = startProcess(folder, port, launcher);
    await started.ready;
  }

  beforeAll(() => startHere());
  afterAll(async () => {
    await putAway(folder, started);
    rmSync(folder, { recursive: true, force: true });
  });

  test("the first start writes dev.json for its owner alone, and prints what is in it", async () => {
    const dev = readDevFile(folder);
    expect(dev).toEqual({
      base_url: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      operator_key: expect.stringMatching(/^rop_[\w-]{43}$/),
      api_key: expect.stringMatching(/^rk_(test|live)_\w+$/),
      agent_id: expect.stringMatching(/^agt_\w+$/),
    });
    expect(statSync(join(folder, "dev.json")).mode & 0o777).toBe(0o600);
    expect(started.stdout()).toContain(dev.base_url);
    expect(started.stdout()).toContain(dev.api_key);
    expect(started.stderr()).toBe("");
  });

  test("the printed curl -N streams a reply to its end", BROAD, async () => {
    const [, url, key, body] =
      /curl -N (\S+) -H 'Authorization: (.*?)' .* -d '(.*)'/.exec(started.stdout()) ?? [];

    const response = await fetch(url!, {
      method: "POST",
      headers: { authorization: key!, "content-type": "application/json" },
      body: body!,
    });

    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(
      /event: REPLY_END\ndata: .*"finished_reason":"completed"/,
    );
  });

  test("a second start on the same folder is refused in one line, and the first goes on", async () => {
    const second = startProcess(folder, "0");
    onTestFinished(() => second.kill("SIGKILL"));

    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(second.stderr()).toMatch(/^Reprise already runs on the state folder .*\n$/);
    expect((await readAgent(folder)).status).toBe(200);
  });

  test("Ctrl-C ends it with code 0 and leaves no process and no listener", async () => {
    const { base_url } = readDevFile(folder);
    expect(listRuntimes(folder)).toHaveLength(1);

    started.kill("SIGINT");

    expect(await started.ended).toEqual({ code: 0, signal: null });
    expect(listRuntimes(folder)).toEqual([]);
    await expect(fetch(base_url)).rejects.toThrow("fetch failed");
  });

  test("the next start keeps the data and the key", async () => {
    const { api_key, agent_id, operator_key } = readDevFile(folder);

    await startHere();

    expect(readDevFile(folder)).toMatchObject({ api_key, agent_id, operator_key });
    expect(await readAgent(folder)).toEqual({ status: 200, id: agent_id });
  });

  test("after kill -9 the next start takes the port and the data over", BROAD, async () => {
    const { base_url, api_key, agent_id } = readDevFile(folder);
    started.kill("SIGKILL");
    await started.ended;
    expect(listRuntimes(folder)).toHaveLength(1);

    await startHere(new URL(base_url).port);

    expect(started.stderr()).toBe("");
    expect(readDevFile(folder)).toMatchObject({ base_url, api_key, agent_id });
    expect(await readAgent(folder)).toEqual({ status: 200, id: agent_id });
    expect(listRuntimes(folder)).toHaveLength(1);
  });

  test(
    "after SIGTERM a platform of npm starts there, and gives way to the next start when npm was killed",
    BROAD,
    async () => {
      started.kill("SIGTERM");
      await started.ended;
      await startHere("0", "npm");
      const { base_url, api_key } = readDevFile(folder);
      started.kill("SIGKILL");
      await started.ended;
      expect((await readAgent(folder)).status).toBe(200);

      await startHere(new URL(base_url).port);

      expect(started.stderr()).toBe("");
      expect(readDevFile(folder)).toMatchObject({ base_url, api_key });
      expect((await readAgent(folder)).status).toBe(200);
      expect(listRuntimes(folder)).toHaveLength(1);
    },
  );
});

test(
  "a port in use is one line that names it and the way out, and nothing is left",
  BROAD,
  async () => {
    const folder = newFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const port = await takePort();

    const started = startProcess(folder, String(port));
    onTestFinished(() => putAway(folder, started));

    expect(await started.ended).toEqual({ code: 1, signal: null });
    expect(started.stderr()).toBe(
      `Port ${port} is in use: stop what listens there, or choose another one: PORT=${port + 1} npm start\n`,
    );
    expect(listRuntimes(folder)).toEqual([]);
  },
);

describe("what is in the way of a start is one sentence, without a trace", () => {
  const LOST =
    "put a copy of it back. If there is none, remove it and start again; every API key of this folder is lost then, and every secret that is stored in it (credentials, webhook secrets, sign-ins); tenants, agents and sessions stay\n";

  async function refusalIn(folder: string): Promise<string> {
    const started = startProcess(folder, "0");
    onTestFinished(() => putAway(folder, started));
    expect(await started.ended).toEqual({ code: 1, signal: null });
    return started.stderr();
  }

  for (const [rows, breadth] of sampled(
    [
      ["not json", "holds no JSON object"],
      ["null", "holds no JSON object"],
      ["{}", "has no operator_key"],
      [
        '{"operator_key":"rop_x","key_pepper":"x","master_key":"eA=="}',
        "has a master_key that is not 32 bytes in base64",
      ],
    ],
    1,
  ))
    test.each(rows)("secrets.json with %s; the file stays", breadth, async (text, problem) => {
      const folder = newFolder();
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const path = join(folder, "secrets.json");
      writeFileSync(path, text);

      expect(await refusalIn(folder)).toBe(`${path} is damaged (it ${problem}): ${LOST}`);
      expect(readFileSync(path, "utf8")).toBe(text);
    });

  test("a state folder that is a file", async () => {
    const folder = newFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, "state");
    writeFileSync(path, "");

    expect(await refusalIn(path)).toBe(
      `The state folder ${path} is a file: give REPRISE_STATE the path of a folder that can be written to\n`,
    );
  });

  test("packages that are not installed", () => {
    const folder = newFolder();
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ["package.json", "scripts/start.ts", "scripts/require-packages.mjs"]) {
      cpSync(join(ROOT, name), join(folder, name));
    }
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: { start: string };
    };

    const [, ...parameters] = scripts.start.split(" ");
    const { status, stderr } = spawnSync(process.execPath, parameters, { cwd: folder });

    expect(status).toBe(1);
    expect(stderr.toString()).toMatch(
      /^Packages are not installed \(\S+ and \d+ more\): run `npm ci` first\n$/,
    );
  });
});
