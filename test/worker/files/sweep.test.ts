// Traces of a crash between D1 and R2, and their sweep.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";

import type { StoredFile } from "../../../protocol/files/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { OBJECT_UNKNOWN_MS, UPLOAD_ABANDONED_MS } from "../../../protocol/files/limits.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, makeTenant, openSession, OPERATOR, type Call } from "../support/api.ts";
import { readLimits } from "../support/tenant-use.ts";
import { LARGE, listKeys, PNG, upload } from "./files.ts";
import { BROAD } from "../../support/breadth.ts";

/** The log line of a machine that cannot finish an upload. */
const UNFINISHED = [
  "files: an upload was not cleaned up; the sweep will",
  expect.objectContaining({ error: "Error", path: "/v1/files" }),
];
const STEP = { kind: "walk", after: "" } as const;

/** A platform whose machine stops when R2 or D1 is asked for this for the first time. */
function dyingAt(place: "put" | "finish"): Env {
  if (place === "put") {
    const put = () => Promise.reject(new Error("the machine has stopped"));
    return { ...env, FILES: proxy(env.FILES, { put, createMultipartUpload: put }) };
  }
  let batches = 0;
  const prepare = (text: string) => {
    if (/^update "files" set/i.test(text) && (batches += 1) > 0) {
      throw new Error("the machine has stopped");
    }
    return env.DB.prepare(text);
  };
  return { ...env, DB: proxy(env.DB, { prepare }) };
}

function proxy<Binding extends object>(binding: Binding, own: object): Binding {
  return new Proxy(binding, {
    get(target, name) {
      if (name in own) return own[name as keyof typeof own];
      const value = target[name as keyof Binding];
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}

function countRows(tenantId: string): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS found FROM files WHERE tenant_id = ?")
    .bind(tenantId)
    .first<number>("found");
}

async function sweepAt(nowMs: number): Promise<void> {
  const clock = vi.spyOn(Date, "now").mockReturnValue(nowMs);
  try {
    await sweep(env, STEP);
  } finally {
    clock.mockRestore();
  }
}

describe("a crash of an upload", () => {
  test.each([
    ["before the object is written", "put", 0, ["files: R2 failed"]],
    ["between the object and the row", "finish", 1, UNFINISHED],
  ] as const)(
    "%s leaves nothing that is readable, and the sweep deletes it",
    async (_, place, objects, said) => {
      const log = hearLog();
      const { id, call } = await makeTenant();

      const answer = await upload({ ...call, bindings: dyingAt(place) }, PNG);

      expect(answer.status).toBeGreaterThanOrEqual(500);
      expect((await ask<Page<StoredFile>>("GET", "/v1/files", call)).json.data).toEqual([]);
      expect([await countRows(id), (await listKeys(id)).length]).toEqual([1, objects]);
      await sweepAt(Date.now() + UPLOAD_ABANDONED_MS + 1);
      expect([await countRows(id), await listKeys(id)]).toEqual([0, []]);
      expect((await readLimits(call)).used.stored_bytes).toBe(0);
      expect(log).toEqual(said);
    },
  );

  test("is not taken for one while it goes on", async () => {
    const log = hearLog();
    const { id, call } = await makeTenant();
    await upload({ ...call, bindings: dyingAt("finish") }, PNG);
    await env.DB.prepare("UPDATE files SET status = 'uploading', due_at = ? WHERE tenant_id = ?")
      .bind(new Date(Date.now() + UPLOAD_ABANDONED_MS).toISOString(), id)
      .run();

    await sweepAt(Date.now() + UPLOAD_ABANDONED_MS / 2);

    expect([await countRows(id), (await listKeys(id)).length]).toEqual([1, 1]);
    expect(log).toEqual(UNFINISHED);
  });
});

test("an upload that is begun again while it is abandoned is not deleted under it", async () => {
  const log = hearLog();
  const { tenantId, call, path } = await openSession();
  const source = { type: "base64", media_type: "image/png", data: LARGE };
  const json = { messages: { content: [{ type: "data", source }] } };
  const again = { ...call, json };
  await ask("POST", `${path}/observe`, { ...again, bindings: dyingAt("put") });
  await env.DB.prepare("UPDATE files SET due_at = ? WHERE tenant_id = ? AND status = 'uploading'")
    .bind(new Date().toISOString(), tenantId)
    .run();
  const put: R2Bucket["put"] = async (...values: Parameters<R2Bucket["put"]>) => {
    const object = await env.FILES.put(...values);
    await sweepAt(Date.now() + 60_000);
    return object;
  };
  const bindings = { ...env, FILES: proxy(env.FILES, { put }) };

  const { status } = await ask("POST", `${path}/observe`, { ...again, bindings });

  expect([status, (await listKeys(tenantId)).length]).toEqual([201, 1]);
  expect(log).toEqual(["files: R2 failed"]);
});

test("an object without a row goes after a day; one with a row stays", async () => {
  const { id, call } = await makeTenant();
  await upload(call, PNG);
  const orphan = `tenant/${id}/file/fil_${"0".repeat(26)}`;
  await env.FILES.put(orphan, PNG);

  await sweep(env, STEP);
  expect(await listKeys(id)).toContain(orphan);
  for (let step = 0; step < 3; step += 1) await sweepAt(Date.now() + OBJECT_UNKNOWN_MS + 1);

  expect(await listKeys(id)).toHaveLength(1);
  expect(await listKeys(id)).not.toContain(orphan);
});

test("a deletion that is cut off between the row and the object is finished", async () => {
  const log = hearLog();
  const { id, call } = await makeTenant();
  const { json: file } = await upload(call, PNG);
  const bindings = {
    ...env,
    FILES: proxy(env.FILES, { delete: () => Promise.reject(new Error("R2 is down")) }),
  };

  const { status } = await ask("DELETE", `/v1/files/${file.id}`, { ...call, bindings });

  expect([status, (await listKeys(id)).length]).toEqual([204, 1]);
  await sweep(env, STEP);
  expect([await countRows(id), await listKeys(id)]).toEqual([0, []]);
  expect(log).toEqual(["file deletion: erase the object failed"]);
});

describe("the files of a session", () => {
  test("go with it, and those of the tenant stay", async () => {
    const { tenantId, call, session, path } = await openSession();
    const query = `?session_id=${session.id}`;
    const { json: own } = await upload(call, PNG, { query });
    const { json: shared } = await upload(call, PNG);

    await ask("DELETE", path, call);

    expect((await ask("GET", `/v1/files/${own.id}`, call)).status).toBe(404);
    await sweep(env, STEP);
    expect(await listKeys(tenantId)).toEqual([`tenant/${tenantId}/file/${shared.id}`]);
  });

  test("cannot be uploaded when it is none, or is gone before they are complete", async () => {
    const { tenantId, call, session, path } = await openSession();
    const query = `?session_id=${session.id}`;
    const put: R2Bucket["put"] = async (...values: Parameters<R2Bucket["put"]>) => {
      const object = await env.FILES.put(...values);
      await ask("DELETE", path, call);
      return object;
    };
    const bindings = { ...env, FILES: proxy(env.FILES, { put }) };

    const late = await upload({ ...call, bindings }, PNG, { query });
    const none = await upload(call, PNG, { query });

    expect([late.status, none.status]).toEqual([404, 404]);
    expect(await listKeys(tenantId)).toEqual([]);
  });
});

test("a closed tenant's files are erased, those of others stay", async () => {
  const [closed, other] = [await makeTenant(), await makeTenant()];
  await upload(closed.call, PNG);
  await env.FILES.put(`tenant/${closed.id}/file/fil_${"0".repeat(26)}`, PNG);
  await upload(other.call, PNG);

  await close(closed.id);

  expect([await listKeys(closed.id), await countRows(closed.id)]).toEqual([[], 0]);
  expect(await listKeys(other.id)).toHaveLength(1);
});

test(
  "ten thousand tiny files of a session are deleted in steps of a bounded size",
  BROAD,
  async () => {
    const { tenantId, call, session, path } = await openSession();
    await env.DB.batch(
      Array.from({ length: 20 }, (_, part) =>
        env.DB.prepare(
          `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
         INSERT INTO files SELECT 'fil_' || printf('%026d', ?3 * 500 + i), ?1, ?2, NULL,
           'text/plain', 1, 'x', 'ready', '2026-11-21T00:00:00.000Z', NULL, 's:' || ?2 FROM n`,
        ).bind(tenantId, session.id, part),
      ),
    );
    await env.DB.prepare(
      "INSERT INTO file_references SELECT ?1, ?2, id, NULL FROM files WHERE tenant_id = ?1",
    )
      .bind(tenantId, session.id)
      .run();

    await ask("DELETE", path, call);

    expect((await ask<Page<StoredFile>>("GET", "/v1/files", call)).json.data).toEqual([]);
    const sizes: number[] = [];
    const FILES = proxy(env.FILES, {
      delete: (keys: string | string[]) => {
        sizes.push(keys.length);
        return env.FILES.delete(keys);
      },
    });
    for (let step = 0; step < 25 && (await countRows(tenantId)) !== 0; step += 1) {
      await sweep({ ...env, FILES }, STEP);
    }
    expect([await countRows(tenantId), Math.max(...sizes)]).toEqual([0, 500]);
  },
);

async function close(tenantId: string): Promise<void> {
  const call: Call = OPERATOR;
  await expect
    .poll(async () => (await ask("DELETE", `/v1/tenants/${tenantId}`, call)).status)
    .toBe(204);
}
