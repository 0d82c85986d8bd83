// Servers that ask a person in the middle of a call, in both eras, made with the official package. The questions wait as
// any other call does, and are answered by the same routes.
import { describe, expect, it, onTestFinished } from "vitest";

import { BROAD, sampled } from "../../support/breadth.ts";
import { openMcpDesk } from "../../support/mcp/mcp-desk.ts";
import { startAskingServer, type AskingKind } from "../../support/mcp/asking-server.ts";
import { createTenant, request } from "../../support/platform-client.ts";
import { waitFor } from "../../support/wait-for.ts";

const KINDS: readonly AskingKind[] = ["modern", "legacy"];
const SEAT = { action: "accept", content: { seat: "12A" } };

async function open(kind: AskingKind, settings: Parameters<typeof openMcpDesk>[1] = {}) {
  const mcp = await startAskingServer(kind);
  onTestFinished(() => mcp.stop());
  const desk = await openMcpDesk(mcp.url, settings);
  const { key, path } = desk;
  const read = async () => (await request<Session>("GET", path, { key })).body;
  return {
    mcp,
    desk,
    key,
    path,
    read,
    call: (name: string) => desk.say(`/call mcp__wh__${name} {}\n/say Done.`),
    /** Posts an answer to the call that waits. */
    answer: async (output: unknown, { as = key } = {}) => {
      const { reply_id, pending } = await read();
      const result = { id: pending[0]?.tool_call.id, output: JSON.stringify(output) };
      const body = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
      return request<Receipt>("POST", `${path}/events`, { key: as, body });
    },
    /** The reply once it has ended. */
    ended: (id: string) =>
      waitFor(async () => {
        const { body } = await request<Ended>("GET", `${path}/replies/${id}`, { key });
        expect(body.status).not.toMatch(/running|awaiting/);
        const results = body.message.content.filter(({ type }) => type === "tool_result");
        return { status: body.status, results, text: desk.textOf(results[0] as never) };
      }),
  };
}

interface Session {
  readonly status: string;
  readonly reply_id: string | null;
  readonly pending: readonly {
    readonly kind: string;
    readonly question?: string;
    readonly expires_at: string | null;
    readonly tool_call: { readonly id: string };
    readonly elicitation?: {
      readonly server: string;
      readonly round: number;
      readonly requests: Readonly<Record<string, { message: string; mode: string }>>;
    };
  }[];
}
interface Receipt {
  readonly applied?: boolean;
  readonly code?: string;
  readonly errors?: readonly { pointer: string; detail: string }[];
}
interface Ended {
  readonly status: string;
  readonly message: { readonly content: readonly { type: string; state?: string }[] };
}

for (const [rows, breadth] of sampled(KINDS, 1))
  describe.each(rows)("a %s server", breadth, (kind) => {
    it("asks with a form, which waits as a call does, and gets what was answered", async () => {
      const { mcp, call, answer, read, ended } = await open(kind);
      const reply = await call("book");
      const { status, pending } = await read();

      expect([reply.status, status]).toEqual([
        "awaiting_external_result",
        "awaiting_external_result",
      ]);
      expect(pending).toHaveLength(1);
      expect(pending[0]).toMatchObject({
        kind: "external_result",
        question: "Which seat?",
        elicitation: { server: "wh", round: 1 },
      });
      expect(Object.values(pending[0]!.elicitation!.requests)).toEqual([
        {
          mode: "form",
          message: "Which seat?",
          requested_schema: {
            type: "object",
            properties: {
              seat: { type: "string", title: "Seat", maxLength: 4 },
              meal: { type: "boolean", default: false },
            },
            required: ["seat"],
            additionalProperties: false,
          },
        },
      ]);
      const given = await answer(SEAT);
      const done = await ended(reply.id);

      expect(given.status).toBe(202);
      expect([done.status, done.results.map(({ state }) => state)]).toEqual([
        "completed",
        ["success"],
      ]);
      expect(done.text).toContain('"seat":"12A"');
      expect(mcp.heard).toEqual(
        kind === "modern" ? [{ seat: SEAT, state: "state of book" }] : [SEAT],
      );
    });

    it(
      "gives a link, which is shown and not opened, and is answered without content",
      BROAD,
      async () => {
        const { mcp, call, answer, read, ended } = await open(kind);
        const reply = await call("pay");
        const { pending } = await read();
        const refused = await answer({ action: "accept", content: { paid: true } });
        await answer({ action: "accept" });
        const done = await ended(reply.id);

        expect(Object.values(pending[0]!.elicitation!.requests)).toEqual([
          { mode: "url", message: "Pay on this page.", url: "https://pay.example/42" },
        ]);
        expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
        expect(done.status).toBe("completed");
        expect(JSON.stringify(mcp.heard)).toContain('"action":"accept"');
      },
    );

    it("asks twice in one call", BROAD, async () => {
      const { mcp, call, answer, read, ended } = await open(kind);
      const reply = await call("twice");
      await answer(SEAT);
      await waitFor(async () => expect((await read()).pending[0]?.elicitation?.round).toBe(2));
      await answer({ action: "accept", content: { seat: "3C", meal: true } });
      const done = await ended(reply.id);

      expect([done.status, mcp.heard.length]).toEqual(["completed", 2]);
      expect(done.text).toContain('"meal":true');
    });

    it("asks in a loop, and is left", BROAD, async () => {
      const { call, answer, read, ended } = await open(kind);
      const reply = await call("forever");
      for (let round = 1; round <= 8; round += 1) {
        await waitFor(async () =>
          expect((await read()).pending[0]?.elicitation?.round).toBe(round),
        );
        await answer(SEAT);
      }
      const done = await ended(reply.id);

      expect([done.status, done.results[0]?.state]).toEqual(["completed", "error"]);
      expect(done.text).toContain("asks in a loop");
    });

    for (const [rows, breadth] of sampled(
      [
        ["a value that does not fit", { action: "accept", content: { seat: "far too long" } }],
        ["a field too few", { action: "accept", content: {} }],
        ["a field too many", { action: "accept", content: { seat: "1A", age: 3 } }],
        ["another action", { action: "maybe" }],
        ["no object", "12A"],
        ["a question that was not asked", { responses: { other: SEAT } }],
      ],
      1,
    ))
      it.each(rows)(
        "waits on when the answer has %s, and nothing is lost",
        breadth,
        async (_what, output) => {
          const { mcp, call, answer, read, ended } = await open(kind);
          const reply = await call("book");
          const refused = await answer(output);
          const { status } = await read();
          await answer({ action: "decline" });
          const done = await ended(reply.id);

          expect([refused.status, refused.body.code]).toEqual([400, "validation_failed"]);
          expect(refused.body.errors?.[0]?.pointer).toBe("#/execution_results/0/output");
          expect(status).toBe("awaiting_external_result");
          expect([done.status, mcp.heard.length]).toEqual(["completed", 1]);
          expect(JSON.stringify(mcp.heard)).toContain('"action":"decline"');
        },
      );

    it("asks for a secret: nobody sees it, and it is declined", async () => {
      const { mcp, call } = await open(kind);
      const reply = await call("steal");

      expect(reply.status).toBe("completed");
      expect(JSON.stringify(mcp.heard)).toContain('{"action":"decline"}');
    });

    it("is answered `cancel` when the time is over", BROAD, async () => {
      const { mcp, call, ended } = await open(kind, { tool: { elicitation_ttl: 1 } });
      const reply = await call("book");
      const done = await ended(reply.id);

      expect([done.status, mcp.heard.length]).toEqual(["completed", 1]);
      expect(JSON.stringify(mcp.heard)).toContain('"action":"cancel"');
    });

    it("is answered once: by the first of two tabs, and a repeated request gets its receipt", async () => {
      const { mcp, call, read, ended, key, path } = await open(kind);
      const reply = await call("book");
      const { reply_id, pending } = await read();
      const post = (seat: string, headers: object) => {
        const output = JSON.stringify({ action: "accept", content: { seat } });
        const result = { id: pending[0]!.tool_call.id, output };
        const body = { type: "EXTERNAL_EXECUTION_RESULT", reply_id, execution_results: [result] };
        return request<Receipt>("POST", `${path}/events`, { key, body, headers: headers as never });
      };
      const tabs = await Promise.all([
        post("1A", { "idempotency-key": "tab-1" }),
        post("2B", { "idempotency-key": "tab-2" }),
      ]);
      const winner = tabs.findIndex(({ status }) => status === 202);
      const seat = winner === 0 ? "1A" : "2B";
      const again = await post(seat, { "idempotency-key": `tab-${winner + 1}` });
      await ended(reply.id);

      expect(tabs.map(({ status }) => status).sort()).toEqual([202, 409]);
      expect(tabs[1 - winner]?.body.code).toBe("call_not_pending");
      expect(again.status).toBe(202);
      expect(mcp.heard).toHaveLength(1);
      expect(JSON.stringify(mcp.heard)).toContain(`"seat":"${seat}"`);
    });

    it("is not answered by another tenant", async () => {
      const { call, answer, read } = await open(kind);
      await call("book");
      const { key: other } = await createTenant();
      const refused = await answer(SEAT, { as: other });

      expect([refused.status, refused.body.code]).toEqual([404, "not_found"]);
      expect((await read()).status).toBe("awaiting_external_result");
    });

    it("is left when the reply is interrupted", BROAD, async () => {
      const { mcp, call, ended, key, path } = await open(kind);
      const reply = await call("book");
      await request("POST", `${path}/interrupt`, { key });
      const done = await ended(reply.id);

      expect([done.status, done.results[0]?.state]).toEqual(["interrupted", "interrupted"]);
      // Of a server of the modern era no request is open.
      const told = kind === "legacy" ? [{ action: "cancel" }] : [];
      await waitFor(() => expect(mcp.heard).toEqual(told));
    });

    it("is told that nobody can be asked when its tool is tried alone", BROAD, async () => {
      const { mcp, key, desk } = await open(kind);
      const { status, body } = await request<{ state: string; content: { text: string }[] }>(
        "POST",
        `/v1/mcp-servers/${desk.server_id}/tools/book/call`,
        { key, body: { input: {} } },
      );

      expect([status, body.state]).toEqual([200, "error"]);
      expect(body.content[0]?.text).toContain("needs an answer of a person");
      expect(JSON.stringify(mcp.heard)).toContain('"action":"cancel"');
    });
  });

it("several questions of one result are answered together, by their keys", BROAD, async () => {
  const { mcp, call, answer, read, ended } = await open("modern");
  const reply = await call("both");
  const { pending } = await read();
  const half = await answer({ responses: { seat: SEAT } });
  await answer({ responses: { seat: SEAT, page: { action: "decline" } } });
  const done = await ended(reply.id);

  expect(pending[0]?.question).toBe("Which seat?\n\nPay on this page.");
  expect([half.status, done.status]).toEqual([400, "completed"]);
  expect(mcp.heard).toEqual([{ seat: SEAT, page: { action: "decline" }, state: "state of both" }]);
});
