// The floor: a Worker that only pipes the model's bytes.

export default {
  /** `?model=<url>`: posts the request's body there and returns the response. */
  async fetch(request): Promise<Response> {
    const model = new URL(request.url).searchParams.get("model") ?? "";
    const headers = { "content-type": "application/json" };
    return new Response((await fetch(model, { method: "POST", headers, body: request.body })).body);
  },
} satisfies ExportedHandler;
