// A minimal HTTP client of the platform for the local scripts.

export interface Answer {
  readonly status: number;
  /** The JSON body, or null when there is none. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface LocalApi {
  /** Sends one request with this credential; an answer of any status is returned, not thrown. */
  call(method: "GET" | "POST" | "PATCH" | "PUT", path: string, body?: object): Promise<Answer>;
}

export function openApi(baseUrl: string, key: string): LocalApi {
  return {
    async call(method, path, body) {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text ? (JSON.parse(text) as Answer["body"]) : null };
    },
  };
}

/** Reads a string member of an answer; throws for any other type. */
export function readString(answer: Answer, member: string): string {
  const value = answer.body?.[member];
  if (typeof value === "string") return value;
  throw new Error(`expected ${member} in ${answer.status} ${JSON.stringify(answer.body)}`);
}
