// Peer "floor": a Worker that pipes the model's response.
import { readStream } from "../clients/read-stream.ts";
import type { MockModel } from "../model/start-model.ts";
import { bundleService } from "../runtime/bundle-service.ts";
import { startWorkerd } from "../runtime/start-workerd.ts";
import { chatRequest } from "./chat-request.ts";
import type { Peer } from "./peer.ts";

export async function startRaw(model: MockModel): Promise<Peer> {
  const worker = await bundleService("raw", "worker/floor.ts");
  const workerd = await startWorkerd([{ ...worker, isPublic: true }]);
  const url = `${workerd.urlOf("raw")}/?model=${encodeURIComponent(`${model.baseUrl}/chat/completions`)}`;
  return {
    name: "raw",
    pid: workerd.pid,
    async openSession() {
      return { reply: (script) => readStream({ url, body: chatRequest(script) }) };
    },
    stop: () => workerd.stop(),
  };
}
