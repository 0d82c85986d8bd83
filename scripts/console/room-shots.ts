// Pictures of rooms and of triggers.
import type { Page } from "playwright-core";

import type { RoomIds } from "./fill-rooms.ts";
import type { Shot } from "./shot.ts";

export function roomShots({ roomId, triggerId }: RoomIds): readonly Shot[] {
  const table = (page: Page) => page.getByRole("table").first().waitFor();
  return [
    { name: "rooms", path: "/console/rooms", ready: table },
    {
      name: "room",
      path: `/console/rooms/${roomId}`,
      isStreaming: true,
      ready: (page) => page.getByRole("form", { name: "Turn of Ada" }).waitFor(),
    },
    { name: "triggers", path: "/console/triggers", ready: table },
    {
      name: "trigger",
      path: `/console/triggers/${triggerId}`,
      ready: (page) => page.getByRole("region", { name: "Runs" }).getByText("succeeded").waitFor(),
    },
  ];
}
