// Asks the platform and holds each answer against the OpenAPI document that it serves.
import type {
  Header,
  JsonSchema,
  MediaType,
  OpenApiDocument,
  ResponseObject,
} from "../../../openapi/document-types.ts";
import { ROUTES, type Route, type RouteName } from "../../../protocol/routes.ts";
import type { Problem } from "../../../protocol/problem.ts";
import { createSseDecoder } from "../../../protocol/sse.ts";
import { schemaValidator, type SchemaValidator } from "../../support/openapi-validator.ts";
import { ask, type Answer, type Call } from "./api.ts";

/** Values of path parameters by name, and `query`, which begins with a question mark. */
export type Place = Readonly<Record<string, string>>;

export class DocumentedApi {
  readonly document: OpenApiDocument;
  /** Answers so far: an operation with a status or, for a problem, its code. */
  readonly seen = new Set<string>();
  /** Answers that were not what the document says. */
  readonly misfits: string[] = [];
  readonly #validate: SchemaValidator;

  constructor(document: OpenApiDocument) {
    this.document = document;
    this.#validate = schemaValidator(document, { isClosed: true });
  }

  async ask<Body = Problem>(name: RouteName, place: Place, call: Call = {}): Promise<Answer<Body>> {
    const route = routeOf(name);
    const path = route.path.replace(/\{(\w+)\}/g, (_, parameter: string) => place[parameter]!);
    const answer = await ask<Body>(route.method, path + (place["query"] ?? ""), call);
    const { code } = answer.json as { code?: string };
    const outcome = `${name} ${answer.status < 400 ? answer.status : (code ?? answer.status)}`;
    this.seen.add(outcome);
    this.misfits.push(...this.#check(route, answer).map((misfit) => `${outcome}: ${misfit}`));
    return answer;
  }

  /** The body that the document shows for an operation; its first when none is named. */
  exampleOf(name: RouteName, example?: string): unknown {
    const operation = Object.values(this.document.paths)
      .flatMap((item) => Object.values(item))
      .find(({ operationId }) => operationId === name);
    const shown = Object.keys(operation?.requestBody?.content["application/json"]?.examples ?? {});
    return this.document.components.examples[example ?? shown[0]!]?.value;
  }

  /** Every status and every code that the document promises, as {@link seen} has them. */
  promised(): readonly string[] {
    return Object.values(this.document.paths)
      .flatMap((item) => Object.values(item))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, response]) => {
          if (Number(status) < 400) return [`${operationId} ${status}`];
          const { content = {} } = this.#resolve(response);
          const problem = content["application/problem+json"];
          if (!problem) return [`${operationId} ${status}`];
          return codesOf(problem).map((code) => `${operationId} ${code}`);
        }),
      );
  }

  #check(route: Route, { status, headers, text }: Answer<unknown>): readonly string[] {
    const operation = this.document.paths[route.path]?.[route.method.toLowerCase()];
    const response = operation?.responses[status];
    if (!response) return [`${status} is not in the document: ${text}`];
    const { headers: named = {}, content = {} } = this.#resolve(response);
    const lacking = Object.entries(named)
      .filter(([, header]) => this.#resolve<Header>(header).required !== false)
      .map(([name]) => name)
      .filter((name) => !headers.has(name))
      .map((name) => `the header ${name} is missing`);
    const [type = ""] = (headers.get("Content-Type") ?? "").split(";");
    if (type === "" && text === "") return lacking;
    const media = content[type] ?? content["*/*"];
    if (!media) return [...lacking, `${type} is not in the document`];
    return [...lacking, ...this.#checkBody(type, media.schema, text)];
  }

  #checkBody(type: string, schema: JsonSchema, text: string): readonly string[] {
    if (type === "text/event-stream") return this.#checkFrames(schema, text);
    const isJson = type.endsWith("json") && type !== "application/x-ndjson";
    const value: unknown = isJson ? JSON.parse(text) : text;
    return this.#validate(schema, value);
  }

  #checkFrames(schema: JsonSchema, text: string): readonly string[] {
    const { contentSchema } = this.#resolve<{ contentSchema: JsonSchema }>(schema);
    return createSseDecoder()
      .push(text)
      .flatMap(({ id, event: type, data }) => {
        const event = JSON.parse(data) as { seq?: number; type?: string };
        // AG-UI's events have no seq: one of the log may be several of them. Those of A2A have no name either, nor an id
        // before their task has begun.
        const isNew = event.type === undefined && id === null;
        const hasId =
          event.seq === undefined
            ? isNew || /^\d+(\.\d+)?$/.test(id ?? "")
            : id === String(event.seq);
        const isNamed = hasId && type === (event.type ?? "message");
        return [...this.#validate(contentSchema, event), ...(isNamed ? [] : [data])];
      });
  }

  #resolve<Value = ResponseObject>(value: unknown): Value {
    const reference = (value as { $ref?: string }).$ref;
    if (reference === undefined) return value as Value;
    const [, , kind, name] = reference.split("/");
    return (this.document.components as unknown as Record<string, Record<string, Value>>)[kind!]![
      name!
    ]!;
  }
}

function routeOf(name: RouteName): Route {
  return ROUTES.find((route) => route.name === name)!;
}

function codesOf({ schema }: MediaType): readonly string[] {
  const [, own] = schema["allOf"] as [unknown, { properties: { code: { enum: string[] } } }];
  return own.properties.code.enum;
}
