// Peer: an object that writes each token as a row before it sends it.
import { randomUUID } from "node:crypto";

import { readStream } from "../clients/read-stream.ts";
import type { MockModel } from "../model/start-model.ts";
import { bundleService } from "../runtime/bundle-service.ts";
import { startWorkerd } from "../runtime/start-workerd.ts";
import { chatRequest } from "./chat-request.ts";
import type { Peer } from "./peer.ts";

const NAME = "row-per-token";

export async function startRowPerToken(model: MockModel): Promise<Peer> {
  const worker = await bundleService(NAME, "worker/row-per-token.ts");
  const workerd = await startWorkerd([
    {
      ...worker,
      isPublic: true,
      objects: ["Session"],
      bindings: [
        { name: "SESSION", type: "objects", className: "Session" },
        { name: "MODEL", type: "text", text: `${model.baseUrl}/chat/completions` },
      ],
    },
  ]);
  const url = workerd.urlOf(NAME);
  return {
    name: NAME,
    pid: workerd.pid,
    async openSession() {
      const id = randomUUID();
      async function rowsWritten(): Promise<number> {
        return Number(await (await fetch(`${url}/rows?session=${id}`)).text());
      }
      // The first call creates the object.
      await rowsWritten();
      return {
        reply: (script) => readStream({ url: `${url}/?session=${id}`, body: chatRequest(script) }),
        rowsWritten,
      };
    },
    stop: () => workerd.stop(),
  };
}
