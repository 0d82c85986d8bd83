// The web's globals that React Native has, and no more: a `fetch` that gives an answer when it is whole, and an
// XMLHttpRequest that shows it as it arrives. Both speak HTTP over a socket. Imported before an app's own code.
import { request as send, type ClientRequest } from "node:http";

/** `progress` as it is; `collecting` as under tools that record requests; `none` without XMLHttpRequest. */
const mode = process.env["XML_HTTP_REQUEST"] ?? "progress";

class AppRequest {
  readyState = 0;
  status = 0;
  responseText = "";
  responseType = "";
  readonly #listeners = new Map<string, (() => void)[]>();
  readonly #headers: Record<string, string> = {};
  #method = "GET";
  #url = "";
  #raw: readonly string[] = [];
  /** As in React Native: text is passed on early if a listener was added before the request was sent. */
  #isIncremental = false;
  #request: ClientRequest | null = null;

  addEventListener(type: string, listener: () => void): void {
    if (type === "readystatechange" || type === "progress") {
      this.#isIncremental = mode === "progress";
    }
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  open(method: string, url: string): void {
    [this.#method, this.#url] = [method, url];
    this.#enter(1);
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }

  getAllResponseHeaders(): string {
    const pairs = this.#raw.flatMap((name, index) =>
      index % 2 === 0 ? [`${name}: ${this.#raw[index + 1]}\r\n`] : [],
    );
    return pairs.join("");
  }

  send(body?: string): void {
    const [, hostname, port, path] = /^http:\/\/([^:/]+):(\d+)(.*)$/.exec(this.#url) ?? [];
    const [method, headers] = [this.#method, this.#headers];
    this.#request = send({ hostname, port, path, method, headers, agent: false }, (answer) => {
      let text = "";
      this.status = answer.statusCode ?? 0;
      this.#raw = answer.rawHeaders;
      this.#enter(2);
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => {
        text += piece;
        if (!this.#isIncremental) return;
        this.responseText = text;
        this.#enter(3);
        this.#tell("progress");
      });
      answer.on("error", () => this.#fail("error"));
      answer.on("end", () => {
        this.#request = null;
        this.responseText = text;
        this.#enter(4);
        this.#tell("load");
      });
    });
    this.#request.on("error", () => this.#fail("error"));
    this.#request.end(body);
  }

  abort(): void {
    this.#fail("abort");
  }

  #fail(type: "error" | "abort"): void {
    if (!this.#request) return;
    this.#request.destroy();
    this.#request = null;
    this.status = 0;
    this.#enter(4);
    this.#tell(type);
  }

  #enter(state: number): void {
    this.readyState = state;
    this.#tell("readystatechange");
  }

  #tell(type: string): void {
    for (const listener of this.#listeners.get(type) ?? []) listener();
  }
}

/** No `body`. */
class AppResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly #text: string;

  constructor(request: AppRequest) {
    this.status = request.status;
    this.#text = request.responseText;
    this.headers = new Headers();
    for (const line of request.getAllResponseHeaders().split("\r\n")) {
      const [name = "", ...value] = line.split(": ");
      if (name) this.headers.append(name, value.join(": "));
    }
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  text(): Promise<string> {
    return Promise.resolve(this.#text);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

function fetchWhole(url: string, init: RequestInit): Promise<AppResponse> {
  return new Promise((resolve, reject) => {
    const request = new AppRequest();
    request.open(init.method ?? "GET", url);
    for (const [name, value] of Object.entries({ ...init.headers })) {
      request.setRequestHeader(name, String(value));
    }
    request.addEventListener("load", () => resolve(new AppResponse(request)));
    request.addEventListener("error", () => reject(new TypeError("Network request failed")));
    request.addEventListener("abort", () => reject(new TypeError("Aborted")));
    init.signal?.addEventListener("abort", () => request.abort());
    request.send(typeof init.body === "string" ? init.body : undefined);
  });
}

const MISSING = [
  "ReadableStream",
  "WritableStream",
  "TransformStream",
  "EventSource",
  "TextDecoder",
  "TextDecoderStream",
  "TextEncoderStream",
  "structuredClone",
  "crypto",
  "URL",
  "URLSearchParams",
  "navigator",
];
for (const name of MISSING) Reflect.deleteProperty(globalThis, name);
for (const name of ["any", "timeout"]) Reflect.deleteProperty(AbortSignal, name);
Object.assign(globalThis, {
  fetch: fetchWhole,
  Response: AppResponse,
  navigator: { product: "ReactNative" },
  ...(mode !== "none" && { XMLHttpRequest: AppRequest }),
});
