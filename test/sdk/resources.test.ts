import { describe, expect, inject, it, onTestFinished } from "vitest";

import { ApiError, Reprise, UserMsg, type Agent, type Msg } from "../../sdk/index.ts";
import { collect } from "../support/collect.ts";
import { openDesk } from "./desk.ts";

const desk = await openDesk();

async function refusal(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}

describe("the resources", () => {
  it("send the type of a blob, and the bytes alone where it has none", async () => {
    const { files } = desk.reprise;
    const words = "# Returns\n\nWithin thirty days.";

    const typed = await files.upload(new Blob([words], { type: "text/markdown" }));
    const plain = await files.upload(new Blob([words]));
    const contradicted = files.upload(new Blob([words], { type: "image/png" }));

    expect([typed.media_type, plain.media_type]).toEqual(["text/markdown", "text/plain"]);
    await expect(contradicted).rejects.toThrow("the header says image/png");
  });

  it("take a tenant from its creation to its end", async () => {
    const operator = new Reprise({
      apiKey: inject("operatorKey"),
      baseUrl: `${inject("baseUrl")}/`,
    });
    const { api_key, ...tenant } = await operator.tenants.create({ name: "Shop" });
    onTestFinished(() =>
      operator.tenants.delete(tenant.id).then(
        () => undefined,
        () => undefined,
      ),
    );

    const renamed = await operator.tenants.update(tenant.id, { name: "Big shop" });
    const key = await operator.apiKeys.create({ tenant_id: tenant.id, scopes: ["agents:read"] });
    const keys = await collect(operator.apiKeys.list({ tenant_id: tenant.id }));
    await operator.apiKeys.revoke(key.id, { tenant_id: tenant.id });
    const read = await operator.tenants.get(tenant.id);
    const isErased = await operator.tenants.delete(tenant.id);

    expect(read).toEqual(renamed);
    expect(renamed).toEqual({ ...tenant, name: "Big shop" });
    expect(api_key).toMatch(/^rk_live_/);
    expect(keys.map(({ id }) => id)).toContain(key.id);
    expect(isErased).toBe(true);
    expect(await refusal(operator.tenants.get(tenant.id))).toMatchObject({ code: "not_found" });
  });

  it("take an agent and a session from their creation to their end", async () => {
    const { reprise } = desk;
    const agent = await reprise.agents.create({ name: "Desk" });
    const changed = await reprise.agents.update(agent.id, { name: "New desk" });
    const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: "u-1" });
    const listed = await collect(reprise.sessions.list({ agent_id: agent.id }));

    expect(changed).toMatchObject({ name: "New desk", version: agent.version + 1 });
    expect(await reprise.agents.get(agent.id)).toEqual(changed);
    expect(listed.map(({ id, end_user_id }) => ({ id, end_user_id }))).toEqual([
      { id: session.id, end_user_id: "u-1" },
    ]);
    expect(await reprise.sessions.get(session.id)).toMatchObject({ status: "idle" });
    await reprise.sessions.delete(session.id);
    await reprise.agents.delete(agent.id);
    expect(await refusal(reprise.sessions.get(session.id))).toMatchObject({ status: 404 });
    expect(await refusal(reprise.agents.get(agent.id))).toMatchObject({ status: 404 });
  });

  it("take every form of input, and show what was said", async () => {
    const session = await desk.openSession();
    const image = { type: "base64", data: "iVBORw0K", media_type: "image/png" } as const;
    await session
      .reply([
        { type: "text", text: "/say a" },
        { type: "data", source: image },
      ])
      .done();
    await session.reply(UserMsg("kim", "/say b")).done();
    await session.reply({ name: "lee", content: "/say c" }).done();
    await session.replies.create([{ content: "first" }, { content: "/say d" }]);

    const pages: Msg[] = await collect(session.messages.list({ limit: 100 }));

    const said = pages.filter(({ role }) => role === "user");
    expect(said.map(({ name, content }) => [name, content.map(({ type }) => type)])).toEqual([
      ["user", ["text", "data"]],
      ["kim", ["text"]],
      ["lee", ["text"]],
      ["user", ["text"]],
      ["user", ["text"]],
    ]);
    expect(said.every(({ id }) => id.length > 20)).toBe(true);
    expect((await collect(session.replies.list())).map(({ status }) => status)).toEqual(
      Array(4).fill("completed"),
    );
  });
});

describe("a list", () => {
  it("goes through all its pages item by item, and a page at a time", async () => {
    const { reprise } = await openDesk();
    const created: Agent[] = [];
    for (let index = 0; index < 5; index += 1) {
      created.unshift(await reprise.agents.create({ name: `Agent ${index}` }));
    }
    const list = reprise.agents.list({ limit: 2 });

    const items = await collect(list);
    const first = await list.page();
    const second = await list.page(first.next_page);

    expect(items.slice(0, 5)).toEqual(created);
    expect(items).toHaveLength(6);
    expect([...first.data, ...second.data]).toEqual(created.slice(0, 4));
    expect(first.has_more).toBe(true);
  });
});

describe("a refusal", () => {
  it("is an ApiError with everything that the platform said", async () => {
    const error = await refusal(desk.reprise.agents.create({ name: "", max_iters: 0 }));

    expect(ApiError.isInstance(error)).toBe(true);
    expect({ ...(error as ApiError), problem: null, headers: null }).toMatchObject({
      name: "ApiError",
      status: 400,
      code: "validation_failed",
      requestId: expect.stringMatching(/^req_/),
      errors: [
        { pointer: "#/name", detail: expect.any(String) },
        { pointer: "#/max_iters", detail: expect.any(String) },
      ],
      retryable: false,
    });
    expect((error as ApiError).message).toBe(
      "400 validation_failed: the body does not fit; `errors` says where (#/name: must not be empty; 1 more in errors)",
    );
  });

  it("of a second reply names the one that runs", async () => {
    const session = await desk.openSession();
    const running = await session.replies.create("/rate 20\n/words 20000", { background: true });
    onTestFinished(() => session.interrupt().then(() => undefined));

    const error = await refusal(session.reply("/say Me too.").done());

    expect(error).toMatchObject({
      code: "reply_running",
      problem: { reply_id: running.id, pending: [] },
    });
  });

  it.each(["", ".", ".."])("comes before anything is sent for the id %j", async (id) => {
    expect(await refusal(desk.reprise.sessions.get(id))).toBeInstanceOf(TypeError);
  });

  it("comes at once for a client without a credential or an address", () => {
    expect(() => new Reprise({ baseUrl: "http://localhost" })).toThrow(TypeError);
    expect(() => new Reprise({ apiKey: "rk_live_x", baseUrl: "" })).toThrow(TypeError);
  });
});
