// Pictures of memory and of called agents.
import type { MemoryIds } from "./fill-memory.ts";
import type { Shot } from "./shot.ts";

export function memoryShots({ storeId, memoryId, calling }: MemoryIds): readonly Shot[] {
  return [
    {
      name: "memory-store",
      path: `/console/memory/${storeId}`,
      ready: (page) => page.getByText("profile/city").waitFor({ state: "attached" }),
    },
    {
      name: "memory",
      path: `/console/memory/${storeId}/${memoryId}`,
      ready: (page) => page.getByRole("article", { name: "Version 1" }).waitFor(),
    },
    {
      name: "called-agent",
      path: `/console/sessions/${calling}`,
      isStreaming: true,
      ready: async (page) => {
        const question = page.getByRole("region", { name: "Question about refund" });
        await question.getByRole("button", { name: "Allow" }).scrollIntoViewIfNeeded();
      },
    },
  ];
}
