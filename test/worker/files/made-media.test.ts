// Media that tools and models make: stored as files of the session, and swept after a lost machine.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { madeMedia } from "../../../durable-objects/settings/made-media.ts";
import { decodeBase64 } from "../../../protocol/base64.ts";
import type { StoredFile } from "../../../protocol/files/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import {
  MADE_FILE_ASKED_AGAIN_MS,
  MADE_FILE_ASKED_MS,
  MADE_MEDIA_TRIES,
} from "../../../protocol/files/limits.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, openSession, send } from "../support/api.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { LARGE, listKeys } from "./files.ts";

const STEP = { kind: "walk", after: "" } as const;
const PICTURE = { media_type: "image/png", data: [LARGE] };
const NOT_STORED = "a file of a reply was not stored";
const GOING = new AbortController().signal;

type Opened = Awaited<ReturnType<typeof openSession>>;

/** The store of a session, over other bindings when the test brings some. */
function storeOf({ tenantId, session }: Opened, bindings: Partial<Env> = {}, stop = GOING) {
  const init = { tenant_id: tenantId, session_id: session.id, origin: "https://api.test" };
  return madeMedia({ ...env, ...bindings }, init, stop);
}

function bucketWith(own: object): R2Bucket {
  return new Proxy(env.FILES, {
    get(target, name) {
      if (name in own) return own[name as keyof typeof own];
      const value = target[name as keyof R2Bucket];
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}

async function filesOf({ call }: Opened): Promise<readonly StoredFile[]> {
  return (await ask<Page<StoredFile>>("GET", "/v1/files", call)).json.data;
}

/** When the sweep asks about each of the tenant's files. */
async function dueTimes({ tenantId }: Opened): Promise<readonly (string | null)[]> {
  const found = await env.DB.prepare("SELECT due_at FROM files WHERE tenant_id = ?")
    .bind(tenantId)
    .all<{ due_at: string | null }>();
  return found.results.map(({ due_at }) => due_at);
}

async function makeDue({ tenantId }: Opened): Promise<void> {
  await env.DB.prepare("UPDATE files SET due_at = ? WHERE tenant_id = ?")
    .bind("2026-01-01T00:00:00.000Z", tenantId)
    .run();
}

async function sweepAt(nowMs: number, bindings: Partial<Env> = {}): Promise<void> {
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  try {
    await sweep({ ...env, ...bindings }, STEP);
  } finally {
    clock.mockRestore();
  }
}

/** A reply in which the model makes a picture. */
async function draw({ call, path }: Opened): Promise<Reply> {
  const json = { input: `Draw.\n/data image/png ${LARGE}\n/text Here it is.` };
  return (await ask<Reply>("POST", `${path}/replies`, { ...call, json })).json;
}

describe("a picture that a model makes", () => {
  test("is a file of the session, and the rows of its reply have less than 4 KB", async () => {
    const opened = await openSession();

    const reply = await draw(opened);

    const [file] = await filesOf(opened);
    const block = reply.message?.content.find(({ type }) => type === "data");
    expect([reply.status, file?.media_type, file?.session_id]).toEqual([
      "completed",
      "image/png",
      opened.session.id,
    ]);
    expect(block).toMatchObject({
      source: { type: "url", url: file?.url, media_type: "image/png" },
    });
    const content = await send("GET", `/v1/files/${file?.id}/content`, opened.call);
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(decodeBase64(LARGE));
    const name = sessionObjectName(opened.tenantId, opened.session.id);
    // The first row has the request, with the picture in its text.
    const [, ...rows] = await runInDurableObject(env.SESSION.getByName(name), (_, { storage }) =>
      storage.sql.exec("SELECT length(frames) AS bytes, parts FROM events ORDER BY seq").toArray(),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ bytes, parts }) => Number(bytes) > 4_096 || parts !== 0)).toEqual([]);
  });

  test("is not asked about once its reply has ended, and goes with its session", async () => {
    const opened = await openSession();
    await draw(opened);

    await expect.poll(() => dueTimes(opened)).toEqual([null]);
    await sweepAt(Date.now() + MADE_FILE_ASKED_MS + 1);
    expect(await listKeys(opened.tenantId)).toHaveLength(1);

    await ask("DELETE", opened.path, opened.call);
    await sweep(env, STEP);
    expect(await listKeys(opened.tenantId)).toEqual([]);
  });
});

describe("a file that D1 does not know to be named", () => {
  test("stays when the log names it, also for a fork alone", async () => {
    const opened = await openSession();
    await draw(opened);
    await ask("POST", `${opened.path}/fork`, { ...opened.call, json: {} });
    await expect.poll(() => dueTimes(opened)).toEqual([null]);
    await ask("DELETE", opened.path, opened.call);
    await makeDue(opened);

    await sweepAt(Date.now());

    expect([await dueTimes(opened), (await listKeys(opened.tenantId)).length]).toEqual([[null], 1]);
  });

  test("goes when its machine was lost before the event", async () => {
    const opened = await openSession();
    const kept = await storeOf(opened).keep(PICTURE);
    expect([kept.ok, (await listKeys(opened.tenantId)).length]).toEqual([true, 1]);

    await sweepAt(Date.now() + MADE_FILE_ASKED_MS - 60_000);
    expect(await listKeys(opened.tenantId)).toHaveLength(1);
    await sweepAt(Date.now() + MADE_FILE_ASKED_MS + 60_000);

    expect([await filesOf(opened), await listKeys(opened.tenantId)]).toEqual([[], []]);
  });

  test("is asked about later when its session cannot say", async () => {
    const log = hearLog();
    const opened = await openSession();
    await storeOf(opened).keep(PICTURE);
    await makeDue(opened);
    const nowMs = Date.now();
    const away = () => ({ act: () => Promise.reject(new Error("the object is away")) });
    const SESSION = { getByName: away } as unknown as Env["SESSION"];

    await sweepAt(nowMs, { SESSION });

    const later = new Date(nowMs + MADE_FILE_ASKED_AGAIN_MS).toISOString();
    expect([await dueTimes(opened), (await listKeys(opened.tenantId)).length]).toEqual([
      [later],
      1,
    ]);
    expect(log).toEqual(["sweep: a session could not say which files it names"]);
  });

  test("stays when it is made once more while the session is asked", async () => {
    const opened = await openSession();
    await storeOf(opened).keep(PICTURE);
    await makeDue(opened);
    const SESSION = {
      getByName: () => ({
        async act() {
          await storeOf(opened).keep(PICTURE);
          return { ok: true, value: [] };
        },
      }),
    } as unknown as Env["SESSION"];

    await sweepAt(Date.now(), { SESSION });

    expect((await filesOf(opened)).map(({ media_type }) => media_type)).toEqual(["image/png"]);
  });

  test("is kept for good when a request brings the same bytes", async () => {
    const opened = await openSession();
    await storeOf(opened).keep(PICTURE);
    const source = { type: "base64", data: LARGE, media_type: "image/png" };
    const json = { messages: { content: [{ type: "data", source }] } };

    await ask("POST", `${opened.path}/observe`, { ...opened.call, json });

    expect(await dueTimes(opened)).toEqual([null]);
  });
});

describe("the store of a session", () => {
  test("makes one file of the same bytes, in whatever pieces they come, also at once", async () => {
    const opened = await openSession();
    const store = storeOf(opened);
    const cut = LARGE.length / 2 - ((LARGE.length / 2) % 4);
    const pieces = [LARGE.slice(0, cut), LARGE.slice(cut)];

    const answers = await Promise.all([
      store.keep(PICTURE),
      store.keep({ media_type: "image/png", data: pieces }),
      storeOf(opened).keep(PICTURE),
    ]);

    const [file] = await filesOf(opened);
    expect(answers).toEqual(answers.map(() => ({ ok: true, url: file?.url })));
    expect(await listKeys(opened.tenantId)).toHaveLength(1);
  });

  test("takes base64 with line breaks, and keeps the bytes", async () => {
    const opened = await openSession();
    const lines = LARGE.replaceAll(/.{76}/g, "$&\r\n");

    await storeOf(opened).keep({ media_type: "image/png", data: [lines] });

    const [file] = await filesOf(opened);
    const content = await send("GET", `/v1/files/${file?.id}/content`, opened.call);
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(decodeBase64(LARGE));
  });

  test("tries again when R2 fails, and gives up when it stays away", BROAD, async () => {
    const log = hearLog();
    const opened = await openSession();
    let tries = 0;
    const failing = (until: number): R2Bucket["put"] =>
      ((...values: Parameters<R2Bucket["put"]>) =>
        (tries += 1) > until
          ? env.FILES.put(...values)
          : Promise.reject(new Error("R2 is down"))) as R2Bucket["put"];

    const lost = await storeOf(opened, { FILES: bucketWith({ put: failing(99) }) }).keep(PICTURE);
    const lostAfter = tries;
    tries = 0;
    const kept = await storeOf(opened, { FILES: bucketWith({ put: failing(1) }) }).keep(PICTURE);

    expect([lost, lostAfter]).toEqual([{ ok: false, loss: "unavailable" }, MADE_MEDIA_TRIES]);
    expect([kept.ok, tries]).toEqual([true, 2]);
    expect(log).toEqual(Array.from({ length: MADE_MEDIA_TRIES + 1 }, () => NOT_STORED));
  });

  test("stops trying with its reply", async () => {
    const log = hearLog();
    const opened = await openSession();
    const controller = new AbortController();
    let tries = 0;
    const put = () => {
      tries += 1;
      controller.abort();
      return Promise.reject(new Error("R2 is down"));
    };

    const store = storeOf(opened, { FILES: bucketWith({ put }) }, controller.signal);

    expect([await store.keep(PICTURE), tries]).toEqual([{ ok: false, loss: "unavailable" }, 1]);
    expect(log).toEqual([NOT_STORED]);
  });

  test("says that there is no room, that it is no base64, that the session is gone", async () => {
    const [opened, gone] = [await openSession(), await openSession()];
    await changeTenant(opened.tenantId, { quotas: { stored_bytes: 50_000 } });
    await ask("DELETE", gone.path, gone.call);

    const answers = [
      await storeOf(opened).keep(PICTURE),
      await storeOf(opened).keep({ media_type: "image/png", data: ["A"] }),
      await storeOf(opened).keep({ media_type: "image/png", data: ["!"] }),
      await storeOf(gone).keep(PICTURE),
    ];

    const losses = ["quota", "malformed", "malformed", "unavailable"];
    expect(answers).toEqual(losses.map((loss) => ({ ok: false, loss })));
    expect(await listKeys(opened.tenantId)).toEqual([]);
  });

  test.each([
    ["https://api.test/v1/file-links/fl_1", true],
    ["HTTPS://API.test:443/v1/file-links/fl_1", true],
    [`https://api.test/v1/files/fil_${"0".repeat(26)}/content?x=1`, true],
    [`https://api.test/v1/files/fil_${"0".repeat(26)}/content`, false],
    [`http://shop.example/v1/files/fil_${"0".repeat(26)}/content`, true],
    ["https://shop.example/v1/file-links/fl_1", false],
    ["https://api.test/logo.png", false],
    ["data:image/png;base64,AAAA", false],
    ["no address", false],
  ])("knows of %s whether it may not be stored: %s", async (url, isLink) => {
    const opened = { tenantId: "ten_1", session: { id: "ses_1" } } as Opened;

    expect(storeOf(opened).isLink(url)).toBe(isLink);
  });
});
