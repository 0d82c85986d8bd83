// An endpoint of transcription and speech that answers without an end.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FloodingAudio {
  /** For `base_url`. */
  readonly baseUrl: string;
  stop(): void;
}

const PIECE = Buffer.alloc(65_536, "a");

export async function startFloodingAudio(): Promise<FloodingAudio> {
  const server = createServer((request, response) => {
    request.resume();
    const isSpeech = request.url?.endsWith("/speech") === true;
    response.writeHead(200, { "content-type": isSpeech ? "audio/pcm" : "application/json" });
    if (!isSpeech) response.write('{"text":"');
    flood(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** As fast as it is taken. */
function flood(response: ServerResponse): void {
  const write = (): void => {
    while (!response.destroyed && response.write(PIECE));
  };
  response.on("drain", write).on("error", () => undefined);
  write();
}
