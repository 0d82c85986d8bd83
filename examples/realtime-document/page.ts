// The front end of the document's realtime agent, in TypeScript. Two lines are not the document's: the address, and the
// credential, which a page in a browser gives as a stream ticket.

/** An event of the agent, as the document's page reads it. */
export interface PageEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface PageOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sessionId: string;
  /** Called with each piece of audio, in base64. */
  readonly playAudio: (audio: string) => void;
}

export class Page {
  readonly events: PageEvent[] = [];
  closed: number | null = null;
  readonly #ws: WebSocket;
  readonly #sessionId: string;

  constructor({ baseUrl, apiKey, sessionId, playAudio }: PageOptions) {
    const path = `/v1/sessions/${sessionId}/realtime?format=agentscope-realtime`;
    const options = { headers: { Authorization: `Bearer ${apiKey}` } };
    // Node's WebSocket takes headers, which browsers cannot send.
    const ws = new WebSocket(baseUrl.replace(/^http/, "ws") + path, options as unknown as string[]);
    this.#ws = ws;
    this.#sessionId = sessionId;

    ws.onopen = () => {
      ws.send(
        JSON.stringify({
          type: "client_session_create",
          config: { instructions: "You are a helpful assistant.", user_name: "User1" },
        }),
      );
    };
    ws.onmessage = (event) => {
      const data = JSON.parse(String(event.data)) as PageEvent;
      this.events.push(data);
      if (data.type === "response_audio_delta") playAudio(String(data["delta"]));
    };
    ws.onclose = ({ code }) => {
      this.closed = code;
    };
  }

  sendAudioChunk(audioData: string): void {
    this.#send({
      type: "client_audio_append",
      audio: audioData,
      format: { encoding: "pcm16", sample_rate: 16000 },
    });
  }

  sendText(text: string): void {
    this.#send({ type: "client_text_append", text });
  }

  commit(): void {
    this.#send({ type: "client_audio_commit" });
  }

  end(): void {
    this.#send({ type: "client_session_end" });
  }

  of(type: string): readonly PageEvent[] {
    return this.events.filter((event) => event.type === type);
  }

  #send(event: object): void {
    this.#ws.send(JSON.stringify({ ...event, session_id: this.#sessionId }));
  }
}
