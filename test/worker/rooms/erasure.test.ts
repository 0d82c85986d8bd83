// An end user who takes part in a room is erased: no word of theirs is left, and the room goes on.
import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  atRest,
  eventsOf,
  messagesOf,
  objectOf,
  openRoom,
  readRoom,
  saidIn,
  say,
  valueOf,
  type RoomDesk,
} from "./room-desk.ts";
import { foldRoom, saidMessages } from "../../../protocol/rooms/fold.ts";

let model: MockModel | null = null;
afterEach(() => model?.restore());

/** All text and bytes that an object has on disk. */
async function bytesOf(stub: DurableObjectStub): Promise<string> {
  return runInDurableObject(stub, (_, { storage: { sql } }) => {
    const tables = sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
      )
      .toArray();
    const decode = (value: SqlStorageValue, column: string): string => {
      if (!(value instanceof ArrayBuffer)) return String(value);
      const bytes = new Uint8Array(value);
      return new TextDecoder().decode(column === "frames" ? unpackFrames(bytes) : bytes);
    };
    return tables
      .flatMap(({ name }) => sql.exec(`SELECT * FROM ${name}`).toArray())
      .flatMap((row) => Object.entries(row).map(([column, value]) => decode(value, column)))
      .join("\n");
  });
}

async function wordsOf(desk: RoomDesk): Promise<string> {
  const sessions = (await readRoom(desk)).participants.flatMap(
    ({ session_id }) => session_id ?? [],
  );
  const room = objectOf(desk.init);
  const others = sessions.map((id) => {
    const stub = env.SESSION.getByName(sessionObjectName(desk.tenantId, id));
    // Its storage is what is read of it.
    return stub as unknown as typeof room;
  });
  const found = await Promise.all([room, ...others].map(bytesOf));
  return found.join("\n");
}

it("an end user's words are taken out of the room and of its sessions, and their folds agree", async () => {
  model = mockModel(({ model: name }, number) => `${name} ${number}`);
  const people = [
    { name: "Mia", end_user_id: "eu-mia" },
    { name: "Ben", end_user_id: "eu-ben" },
  ];
  const desk = await openRoom({ agents: ["alpha", "beta"], people });
  const secret = "my number is 4711";
  await say(desk, secret);
  await atRest(desk);
  await say(desk, `long ${"x".repeat(1_200_000)} and ${secret}`);
  await atRest(desk);
  await say(desk, "I am Ben.", { participant: "Ben" });
  await atRest(desk);
  expect(await wordsOf(desk)).toContain("4711");

  valueOf(await desk.room.eraseEndUser("eu-mia"));
  valueOf(await desk.room.eraseEndUser("eu-mia"));

  const left = await wordsOf(desk);
  expect([left.includes("4711"), left.includes("eu-mia"), left.includes("I am Ben.")]).toEqual([
    false,
    false,
    true,
  ]);
  expect((await saidIn(desk)).filter((line) => line.startsWith("Mia"))).toEqual([
    "Mia: [erased]",
    "Mia: [erased]",
  ]);
  const folded = saidMessages(foldRoom(await eventsOf(desk))).map(({ message }) => message);
  expect(await messagesOf(desk)).toEqual(folded);
  expect((await readRoom(desk)).participants.find(({ name }) => name === "Mia")).toMatchObject({
    status: "left",
    end_user_id: null,
  });
  await say(desk, "And now?", { participant: "Ben" });
  await atRest(desk);
  expect(model.bodies.get("alpha")?.at(-1)).not.toContain("4711");
});
