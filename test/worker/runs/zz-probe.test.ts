// Probe.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import type { InputMessage } from "../../../protocol/api/replies.ts";
import { LABEL, REFUND, withTools, post, externalResult, confirmation, rowsOf } from "../session/parked.ts";
import { allEvents, createdSession, objectOf, readReply, stubOf, valueOf } from "../session/session.ts";
import { answerTo, codeOf, inputOf, PRINT, resultOf, run, runRows, said, startRun } from "./runs.ts";

it("dual-sent without payload, replay", async () => {
  const init = await createdSession({ tools: [LABEL] });
  const { reply } = await run(init, "r1", { messages: [said("m1", "/call label {}\n/say done")] });
  const id = reply.pending[0]!.tool_call.id;
  const parts = { messages: [said("m1", "x")], resume: [answerTo(reply.id, id, undefined)], results: [resultOf(id, "p")] };
  const first = await startRun(init, "r2", parts);
  console.log("first", JSON.stringify(first));
  await readReply(init, reply.id, 5000);
  console.log("replay", JSON.stringify(await startRun(init, "r3", parts)));
});
it("dual-sent, client tool, new message, no payload", async () => {
  const init = await createdSession({});
  const { reply } = await run(init, "r1", { messages: [said("m1", "/call print {}\n/say done")], tools: [PRINT] });
  const id = reply.pending[0]!.tool_call.id;
  const parts = { messages: [said("m1", "x"), said("m2", "/say next")], resume: [answerTo(reply.id, id, undefined)], results: [resultOf(id, "p")] };
  const first = await startRun(init, "r2", parts);
  console.log("giveup", JSON.stringify(first), (await readReply(init, reply.id)).status);
});
it("webhook answered permission, message brings the other", () => withTools(async () => {
  const tools = [REFUND, LABEL].map((t) => ({ ...t, concurrency_safe: true }));
  const init = await createdSession({ tools });
  const { reply } = await run(init, "r1", { messages: [said("m1", "/call refund {}\n/call label {}\n/say done")] });
  const [a, b] = reply.pending;
  await post(init, confirmation(reply.id, a!));
  await readReply(init, reply.id, 5000);
  const r = await startRun(init, "r2", { resume: [answerTo(reply.id, a!.tool_call.id, { approved: true })], results: [resultOf(b!.tool_call.id, "x")] });
  console.log("half", JSON.stringify(r), (await readReply(init, reply.id, 3000)).status);
}));
it("5000 new messages", async () => {
  const init = await createdSession({});
  const messages = Array.from({ length: 5000 }, (_, i) => said(`m${i}`, `hello ${i}`));
  let t = Date.now();
  const r = await startRun(init, "r1", { messages });
  console.log("5000 new", Date.now() - t, r.ok);
  const reply = r.ok ? await readReply(init, r.value.reply_id, 10000) : null;
  console.log(reply?.status, Date.now() - t, JSON.stringify(await rowsOf(init, "SELECT * FROM outbox")));
  await evictDurableObject(objectOf(init));
  for (let i = 0; i < 3; i++) { t = Date.now();
  const r2 = await startRun(init, `r2${i}`, { messages: [...messages.slice(i), said(`n${i}`, "/say x")], state: { a: i } });
  console.log("known 5000", Date.now() - t, r2.ok);
  if (r2.ok) await readReply(init, r2.value.reply_id, 10000); }
});
it("128 resume entries of a large ended reply", async () => {
  const init = await createdSession({ tools: [LABEL] });
  const { reply } = await run(init, "r1", { messages: [said("m1", "/call label {}\n/say done")] });
  const c = reply.pending[0]!;
  valueOf(await post(init, externalResult(reply.id, c, "x".repeat(8_000_000))));
  await readReply(init, reply.id, 5000);
  await evictDurableObject(objectOf(init));
  const e = { ...answerTo(reply.id, c.tool_call.id, "zzz") };
  const t = Date.now();
  const r = await startRun(init, "r2", { resume: Array.from({ length: 128 }, () => e) });
  console.log("128 entries", Date.now() - t, codeOf(r));
}, 60000);
it("surrogates", async () => {
  const init = await createdSession({});
  await run(init, "a\ud800", { messages: [said("m\ud800", "/say 1")] });
  console.log(JSON.stringify(await startRun(init, "a\ud801", { messages: [said("m\ud801", "/say 2")] })));
  console.log(JSON.stringify(await startRun(init, "b", { messages: [said("m\ud801", "/say 2")] })));
});
it("redos", async () => {
  const init = await createdSession({});
  const bad = { ...PRINT, input_schema: { type: "object", properties: { s: { type: "string", pattern: "^(a+)+$" } } } };
  const t = Date.now();
  const r = await startRun(init, "r", { messages: [said("m1", `/call print {"s":"${"a".repeat(26)}!"}\n/say x`)], tools: [bad] });
  if (r.ok) await readReply(init, r.value.reply_id, 20000);
  console.log("redos 26", Date.now() - t);
  const defs = Object.fromEntries(Array.from({ length: 18 }, (_, i) => [`d${i}`, i === 17 ? { type: "object" } : { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }]));
  const fan = { ...PRINT, input_schema: { $ref: "#/$defs/d0", $defs: defs } };
  const t2 = Date.now();
  const r2 = await startRun(init, "rr", { messages: [said("m2", `/call print {"s":"a"}\n/say x`)], tools: [fan] });
  if (r2.ok) console.log((await readReply(init, r2.value.reply_id, 20000)).status);
  else console.log(r2);
  console.log("fan 2^17", Date.now() - t2);
}, 60000);
