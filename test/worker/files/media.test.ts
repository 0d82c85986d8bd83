// Media in requests, and the references of forks.
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";

import type { FileLink, StoredFile } from "../../../protocol/files/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { REFERENCE_UNLISTED_MS } from "../../../protocol/files/limits.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import { hearLog } from "../../support/hear-log.ts";
import { ask, openSession, refusalOf } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { block, LARGE, listKeys, PNG, upload } from "./files.ts";

const SMALL = btoa("\x89PNG\r\n\x1a\n");

test("base64 data above 64 KB becomes a file of the session, in any form; less stays", async () => {
  const { tenantId, call, path } = await openSession();
  const content = [
    block({ type: "base64", data: LARGE }),
    block({ type: "url", url: `data:image/png;base64,${LARGE}` }),
    block({ type: "base64", data: SMALL }),
  ];

  await ask("POST", `${path}/observe`, { ...call, json: { messages: { content } } });

  const { json: page } = await ask<Page<Msg>>("GET", `${path}/messages`, call);
  const sources = page.data[0]!.content.map((one) => one.type === "data" && one.source);
  const [key = ""] = await listKeys(tenantId);
  const url = `https://api.test/v1/files/${key.split("/").at(-1)}/content`;
  const file = { type: "url", url, media_type: "image/png" };
  expect(sources).toEqual([file, file, { type: "base64", data: SMALL, media_type: "image/png" }]);
  expect(await listKeys(tenantId)).toHaveLength(1);
});

test("while R2 is down such data is refused, and the same request is taken later", async () => {
  const log = hearLog();
  const { call, path } = await openSession();
  const FILES = new Proxy(env.FILES, {
    get: (target, name) =>
      name === "put" ? () => Promise.reject(new Error("down")) : target[name as keyof R2Bucket],
  });
  const json = { messages: { id: "m1", content: [block({ type: "base64", data: LARGE })] } };

  const down = await ask("POST", `${path}/observe`, { ...call, json, bindings: { ...env, FILES } });
  const up = await ask("POST", `${path}/observe`, { ...call, json });

  expect([down.status, down.headers.has("Retry-After"), up.status]).toEqual([503, true, 201]);
  expect(log).toEqual(["files: R2 failed"]);
});

test("while a file with the same content is being deleted such data is refused, and taken later", async () => {
  const log = hearLog();
  const { tenantId, call, path } = await openSession();
  const json = { messages: { id: "m1", content: [block({ type: "base64", data: LARGE })] } };
  await ask("POST", `${path}/observe`, { ...call, json });
  const [id = ""] = (await listKeys(tenantId)).map((key) => key.split("/").at(-1) ?? "");
  const down = () => Promise.reject(new Error("R2 is down"));
  const FILES = new Proxy(env.FILES, {
    get: (target, name) => (name === "delete" ? down : target[name as keyof R2Bucket]),
  });

  await ask("DELETE", `/v1/files/${id}`, { ...call, bindings: { ...env, FILES } });
  const early = await ask("POST", `${path}/observe`, { ...call, json });
  await sweep(env, { kind: "walk", after: "" });
  const late = await ask("POST", `${path}/observe`, { ...call, json });

  expect([early.status, early.headers.has("Retry-After"), late.status]).toEqual([503, true, 201]);
  expect(log).toEqual(["file deletion: erase the object failed"]);
  expect((await ask("GET", `/v1/files/${id}/content`, call)).status).toBe(200);
});

test("a run of AG-UI in a thread that is new brings a picture as a file of its session", async () => {
  const { call, agent } = await openSession();
  const source = { type: "data", value: LARGE, mimeType: "image/png" };
  const json = {
    threadId: `thread-${crypto.randomUUID()}`,
    runId: "run-1",
    messages: [{ id: "m1", role: "user", content: [{ type: "image", source }] }],
  };

  const run = await ask("POST", `/v1/agents/${agent.id}/ag-ui`, { ...call, json });

  const { json: files } = await ask<Page<StoredFile>>("GET", "/v1/files", call);
  expect([run.status, files.data.map(({ bytes }) => bytes)]).toEqual([200, [100_008]]);
});

describe("the summary of an imported state", () => {
  test("names files under the same rules as its messages", async () => {
    const { call, path } = await openSession();
    const other = await openSession();
    const query = `?session_id=${other.session.id}`;
    const { json: file } = await upload(other.call, PNG, { query });

    const summary = [block({ type: "url", url: file.url })];
    const answer = await ask("PUT", `${path}/state`, { ...call, json: { summary } });

    expect(refusalOf(answer)).toEqual({
      status: 404,
      code: "not_found",
      pointers: ["#/summary/0/source/url"],
    });
  });

  test("brings large base64 data as a file", async () => {
    const { tenantId, call, path } = await openSession();

    const summary = [block({ type: "base64", data: LARGE })];
    const answer = await ask("PUT", `${path}/state`, { ...call, json: { summary } });

    expect([answer.status, await listKeys(tenantId)]).toEqual([200, [expect.any(String)]]);
  });
});

test("an expiring link is no address for a message", async () => {
  const { call, path, session } = await openSession();
  const { json: file } = await upload(call, PNG, { query: `?session_id=${session.id}` });
  const link = await ask<FileLink>("POST", `/v1/files/${file.id}/links`, { ...call, json: {} });

  const input = [block({ type: "url", url: link.json.url })];
  const answer = await ask("POST", `${path}/replies`, { ...call, json: { input } });

  expect(refusalOf(answer)).toEqual({
    status: 400,
    code: "validation_failed",
    pointers: ["#/input/0/source/url"],
  });
});

test("a fork may read the files that its messages name, and none that its source names later", async () => {
  const { call, path, session } = await openSession();
  const query = `?session_id=${session.id}`;
  const files = [
    (await upload(call, PNG, { query })).json,
    (await upload(call, PNG, { query })).json,
    (await upload(call, PNG, { query })).json,
  ];
  for (const [index, { url }] of files.slice(0, 2).entries()) {
    const messages = { id: `m${index}`, content: [block({ type: "url", url })] };
    await ask("POST", `${path}/observe`, { ...call, json: { messages } });
  }
  const read = async (at?: string) => {
    const fork = await ask<{ id: string }>("POST", `${path}/fork`, { ...call, json: { at } });
    const token = await mintCall(`/v1/sessions/${fork.json.id}`, call, { verbs: ["read"] });
    const places = files.map(({ id }) => `/v1/files/${id}/content`);
    return Promise.all(places.map(async (place) => (await ask("GET", place, token)).status));
  };

  expect([await read("m0"), await read()]).toEqual([
    [200, 404, 404],
    [200, 200, 404],
  ]);
});

test("of a fork that is not listed in time the references are dropped, of one that is they stay", async () => {
  const { tenantId, call, path, session } = await openSession();
  const { json: file } = await upload(call, PNG, { query: `?session_id=${session.id}` });
  const messages = { content: [block({ type: "url", url: file.url })] };
  await ask("POST", `${path}/observe`, { ...call, json: { messages } });
  const fork = await ask<{ id: string }>("POST", `${path}/fork`, { ...call, json: {} });
  await env.DB.prepare("INSERT INTO file_references VALUES (?, ?, ?, ?)")
    .bind(tenantId, `ses_${"0".repeat(26)}`, file.id, new Date().toISOString())
    .run();

  vi.spyOn(Date, "now").mockReturnValue(Date.now() + REFERENCE_UNLISTED_MS + 1);
  await sweep(env, { kind: "walk", after: "" });
  vi.restoreAllMocks();

  const { results } = await env.DB.prepare(
    "SELECT session_id, due_at FROM file_references WHERE file_id = ? ORDER BY session_id",
  )
    .bind(file.id)
    .all();
  expect(results).toEqual(
    [session.id, fork.json.id].toSorted().map((session_id) => ({ session_id, due_at: null })),
  );
});

test("a file that no copied message names goes with its source, also one that is deleted while it is copied", async () => {
  const { tenantId, call, path, session } = await openSession();
  const query = `?session_id=${session.id}`;
  const { json: named } = await upload(call, PNG, { query });
  await upload(call, PNG, { query });
  const { json: ofTenant } = await upload(call, PNG);
  const { files } = tenantStorage(env.DB, tenantId);
  await files.refer(session.id, [ofTenant.id], true);
  const forkId = `ses_${"1".repeat(26)}`;
  const dueAt = new Date(Date.now() + REFERENCE_UNLISTED_MS).toISOString();

  await files.copyReferences(session.id, forkId, dueAt);
  await ask("DELETE", path, call);
  await files.keepReferences(forkId, [named.id], new Date().toISOString());
  await sweep(env, { kind: "walk", after: "" });

  const kept = (await listKeys(tenantId)).map((key) => key.split("/").at(-1));
  expect(kept.toSorted()).toEqual([named.id, ofTenant.id].toSorted());
});
