import { expect, it } from "vitest";

import { RoomCreateSchema } from "../../../protocol/rooms/contract.ts";
import { ParticipantNameSchema } from "../../../protocol/rooms/participants.ts";

it.each(["ann", "Ann-2", "小明", "constructor", "a".repeat(64)])("%s is a name", (name) => {
  expect(ParticipantNameSchema.parse(name)).toBe(name);
});

it.each(["", "ann b", "@ann", "ann:", "room", "moderator", "__proto__", "a".repeat(65)])(
  "%s is no name",
  (name) => {
    expect(ParticipantNameSchema.safeParse(name).success).toBe(false);
  },
);

it("two names that look the same are the same", () => {
  expect(ParticipantNameSchema.parse("jose\u0301")).toBe("jos\u00e9");
  const participants = ["jose\u0301", "jos\u00e9"].map((name) => ({ name, agent_id: "agt_1" }));
  const created = RoomCreateSchema.safeParse({ participants });
  expect(created.error?.issues.map(({ message }) => message)).toEqual([
    "two participants have the same name",
  ]);
});
