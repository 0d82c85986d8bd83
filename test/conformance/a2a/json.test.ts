// The JSON of A2A: names, enums, times, members that have to be there, and parts with files.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { A2aArtifact, A2aTask } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  ASKING,
  callA2a,
  messageOf,
  openA2aDesk,
  readTask,
  sendA2a,
} from "../../support/a2a/a2a-desk.ts";
import { readA2aStream, textsOf } from "../../support/a2a/a2a-stream.ts";
import { openRequest, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=";
const SCRIPT = `/think I wonder.\n/say Well.\n/data image/png ${PNG}\n/say Then.`;

/** Values below it by their member's name; members of what is not A2A's own are left out. */
function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    [name, member] as const,
    ...(name === "metadata" || name === "data" ? [] : membersOf(member)),
  ]);
}

/** Of one desk, which no test changes afterwards. */
let heard: Promise<unknown> | undefined;
function hearAll() {
  heard ??= hear();
  return heard;
}

/** Everything that the server says of some tasks. */
async function hear() {
  const desk = await openA2aDesk();
  const frames = await readA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", messageOf(SCRIPT));
  const asked = await sendA2a(desk, messageOf(ASKING));
  const list = await callA2a(desk, "HTTP+JSON", "ListTasks", { includeArtifacts: true });
  const path = `${desk.path}/.well-known/agent-card.json`;
  const card = await request("GET", path, { key: desk.key });
  return [frames.map(({ frame }) => frame), asked, list.result, card.body];
}

it("5.5-1: names of members are in camel case", async () => {
  const names = membersOf(await hearAll()).map(([name]) => name);
  const wrong = names.filter((name) => /[_-]/.test(name) || /^[A-Z]/.test(name));

  expect(names.length).toBeGreaterThan(50);
  expect(wrong.filter((name) => name !== "api_key")).toEqual([]);
});

it("5.5-2: states and roles are the names that the proto has", async () => {
  const members = membersOf(await hearAll());
  const states = members.filter(([name]) => name === "state").map(([, value]) => value);
  const roles = members.filter(([name]) => name === "role").map(([, value]) => value);

  expect(states.length).toBeGreaterThan(2);
  expect(states).toEqual(
    states.map(() =>
      expect.stringMatching(
        /^TASK_STATE_(SUBMITTED|WORKING|COMPLETED|FAILED|CANCELED|INPUT_REQUIRED|REJECTED|AUTH_REQUIRED)$/,
      ),
    ),
  );
  expect(roles).toEqual(roles.map(() => expect.stringMatching(/^ROLE_(USER|AGENT)$/)));
});

async function timesOf() {
  return membersOf(await hearAll())
    .filter(([name]) => name === "timestamp")
    .map(([, value]) => String(value));
}

it("5.6.1-1: times are text of ISO 8601, in UTC and with milliseconds", async () => {
  const times = await timesOf();

  expect(times.length).toBeGreaterThan(2);
  expect(times).toEqual(
    times.map(() => expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)),
  );
});

it(
  "5.6.1-2: a time is the moment that it says, and one of a client is read as such",
  BROAD,
  async () => {
    const before = Date.now();
    const desk = await openA2aDesk();
    const { status } = await sendA2a(desk, messageOf("/say Hello."));
    const time = Date.parse(status.timestamp ?? "");
    const later = new Date(time + 60_000).toISOString();
    await waitFor(async () => {
      const sizes = [];
      for (const statusTimestampAfter of [status.timestamp, "2020-01-01T00:00:00Z", later]) {
        const { result } = await callA2a<{ tasks: unknown[] }>(desk, "HTTP+JSON", "ListTasks", {
          statusTimestampAfter,
        });
        sizes.push(result?.tasks.length);
      }
      expect(sizes).toEqual([1, 1, 0]);
    });

    expect(time).toBeGreaterThanOrEqual(before - 1);
    expect(time).toBeLessThanOrEqual(Date.now() + 1);
  },
);

it("5.6.1-3: no time has another offset than Z", BROAD, async () => {
  const times = await timesOf();

  expect(times.filter((time) => !time.endsWith("Z"))).toEqual([]);
});

it("5.7-1: members that the proto requires are there", BROAD, async () => {
  const desk = await openA2aDesk();
  const frames = await readA2aStream(desk, "JSONRPC", "SendStreamingMessage", messageOf(SCRIPT));
  const text = expect.stringMatching(/\S/) as unknown;
  for (const { frame } of frames) {
    const { task, statusUpdate, artifactUpdate } = frame;
    const update = statusUpdate ?? artifactUpdate;
    if (update) expect(update).toMatchObject({ taskId: text, contextId: text });
    if (task) expect(task).toMatchObject({ id: text, status: { state: text } });
    if (statusUpdate) expect(statusUpdate).toMatchObject({ status: { state: text } });
    if (artifactUpdate) expect(artifactUpdate.artifact).toMatchObject({ artifactId: text });
  }
  const { history = [], status } = await readTask(desk, frames[0]!.frame.task!.id);
  const asked = await sendA2a(desk, messageOf(ASKING));
  const messages = [...history, asked.status.message!];

  expect(status.state).toBe("TASK_STATE_COMPLETED");
  expect(messages).toMatchObject(
    messages.map(() => ({
      messageId: text,
      role: text,
      parts: expect.arrayContaining([expect.anything()]) as unknown,
    })),
  );
});

async function artifactsOf(script: string) {
  const desk = await openA2aDesk();
  const frames = await readA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", messageOf(script));
  const updates = frames.flatMap(({ frame }) => frame.artifactUpdate ?? []);
  const { id } = frames[0]!.frame.task!;
  return { desk, id, updates, artifacts: (await readTask(desk, id)).artifacts ?? [] };
}

it("Artifact-1: ids of artifacts are unique in their task, and the same in stream and task", async () => {
  const { updates, artifacts } = await artifactsOf(`${SCRIPT}\n/then\n/say More.\n/words 20`);
  const ids = artifacts.map(({ artifactId }) => artifactId);

  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(updates.map(({ artifact }) => artifact.artifactId))).toEqual(new Set(ids));
});

it("Artifact-2: an artifact has a part, and each part one content", async () => {
  const { updates, artifacts } = await artifactsOf(`${SCRIPT}\n/say `);
  const all: readonly A2aArtifact[] = [...artifacts, ...updates.map(({ artifact }) => artifact)];
  const contents = all.flatMap(({ parts }) =>
    parts.map((part) => ["text", "raw", "url", "data"].filter((name) => name in part).length),
  );

  expect(all.filter(({ parts }) => parts.length === 0)).toEqual([]);
  expect(contents).toEqual(contents.map(() => 1));
});

it("11.5-1: GET and DELETE have all that they need in path and query", async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf("/say Hello."));
  const get = (path: string) =>
    request<A2aTask & { tasks?: A2aTask[] }>("GET", `${desk.path}/${path}`, {
      key: desk.key,
      headers: { "a2a-version": "1.0" },
    });
  const [task, bare] = [await get(`tasks/${id}`), await get(`tasks/${id}?historyLength=0`)];
  const list = await waitFor(async () => {
    const found = await get("tasks?includeArtifacts=true&pageSize=1&status=TASK_STATE_COMPLETED");
    expect(found.body.tasks).toHaveLength(1);
    return found;
  });
  const config = { key: desk.key, headers: { "a2a-version": "1.0" } };
  const gone = await request(
    "DELETE",
    `${desk.path}/tasks/${id}/pushNotificationConfigs/x`,
    config,
  );

  expect([task.status, task.body.id, bare.body.history ?? []]).toEqual([200, id, []]);
  expect(list.body.tasks?.map((found) => Object.keys(textsOf(found)).length)).toEqual([1]);
  expect(Math.floor(gone.status / 100)).toBe(2);
});

it("11.5-2: parameters in a query are in camel case, and others are none", BROAD, async () => {
  const desk = await openA2aDesk();
  await sendA2a(desk, messageOf("/say One.", { contextId: "orders" }));
  await sendA2a(desk, messageOf("/say Two."));
  const sizes = [];
  for (const query of ["contextId=orders", "contextId=none", "context_id=none"]) {
    const { body, status } = await request<{ tasks?: unknown[] }>(
      "GET",
      `${desk.path}/tasks?${query}`,
      { key: desk.key, headers: { "a2a-version": "1.0" } },
    );
    sizes.push(body.tasks?.length ?? status);
  }

  expect(sizes.slice(0, 2)).toEqual([1, 0]);
  expect(sizes[2]).not.toBe(0);
});

it("11.5-3: what has nested members is a POST with a body, and no GET", BROAD, async () => {
  const desk = await openA2aDesk();
  const options = { key: desk.key, headers: { "a2a-version": "1.0" } };
  const statuses = [];
  for (const path of ["message:send", "message:stream"]) {
    statuses.push((await openRequest("GET", `${desk.path}/${path}`, options)).status);
  }
  const sent = await callA2a(desk, "HTTP+JSON", "SendMessage", messageOf("/say Hi."));

  expect(statuses.every((status) => status === 404 || status === 405)).toBe(true);
  expect(sent.status).toBe(200);
});

it("14.1.1-3: text of a user is text everywhere, whatever it looks like", async () => {
  const desk = await openA2aDesk();
  const text = `\ndata: {"jsonrpc":"2.0"}\n\nid: 99\n\n<script>alert(1)</script>\u2028"}]}`;
  const hostile = messageOf("", { parts: [{ text }] });
  const frames = await readA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", hostile);
  const { history = [] } = await readTask(desk, frames[0]!.frame.task!.id);
  const rest = await callA2a(desk, "HTTP+JSON", "GetTask", { id: frames[0]!.frame.task!.id });

  expect(history[0]?.parts).toEqual([{ text }]);
  expect(frames.every(({ id }) => /^\d+(\.\d+)?$/.test(id))).toBe(true);
  expect(rest.headers.get("content-type")).not.toContain("html");
  expect(rest.headers.get("x-content-type-options")).toBe("nosniff");
});

it("14.1.1-4: a file's address in a message is not read by the platform, wherever it points to", async () => {
  const desk = await openA2aDesk();
  const seen = [];
  for (const url of ["file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "//x"]) {
    const params = messageOf("", { parts: [{ url, mediaType: "image/png" }] });
    for (const binding of A2A_BINDINGS) {
      seen.push((await callA2a(desk, binding, "SendMessage", params)).error?.code);
    }
  }

  expect(seen).toEqual(seen.map((_, index) => (index % 2 === 0 ? -32_602 : 400)));
});
