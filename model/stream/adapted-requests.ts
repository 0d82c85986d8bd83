// Requests in another form after a refusal that names what the endpoint does not take. A model asks at once again, within
// the same try; the form that was answered is used from then on, so that the requests of a conversation begin alike.
import type { ModelRequest } from "../../agent/ports.ts";
import type { LearnedForm, RequestForm } from "../../protocol/models/events.ts";
import { MAX_ADAPTED_REQUESTS } from "../../protocol/models/limits.ts";

/** An endpoint's refusal of a request. */
export interface EndpointRefusal {
  readonly status: number;
  /** The endpoint's own words: message, code, and the error as JSON, of the first {@link MAX_WORDS} characters. */
  readonly words: string;
}

/** The request that was refused. */
interface RefusedRequest {
  readonly request: ModelRequest;
  /** The form that it had, with what is known of its endpoint. */
  readonly form: RequestForm;
  /** The author of proofs that the model may be sent. */
  readonly by: string;
}

/**
 * One thing that endpoints refuse, and what changes of the form to be without it. Contract: pure; null when the refusal
 * is about something else, or when the request would stay as it was.
 */
export interface Adaptation {
  (refusal: EndpointRefusal, refused: RefusedRequest): RequestForm | null;
}

export interface FormSettings {
  readonly by: string;
  /** In the order in which they are asked. */
  readonly adaptations: readonly Adaptation[];
  /** The refusal that a request was rejected with; null for any other failure. */
  readonly refusalOf: (error: unknown) => EndpointRefusal | null;
  /** The form of the endpoint's requests that is known without asking it. */
  readonly base: RequestForm;
  /** The form that earlier calls have learned beside it. */
  readonly known: RequestForm | undefined;
}

/** Statuses of refusals of the request's form. Some servers say 500 of a template that fails. */
const STATUSES: readonly number[] = [400, 413, 415, 422, 500];

/** The forms of one model's requests. Lives as long as the model. */
export class AdaptedRequests {
  readonly #settings: FormSettings;
  #form: RequestForm;

  constructor(settings: FormSettings) {
    this.#settings = settings;
    this.#form = settings.known ?? {};
  }

  /** One call. */
  begin(request: ModelRequest): AdaptedRequest {
    return new AdaptedRequest(request, this.#settings, {
      form: this.#form,
      keep: (form) => {
        this.#form = form;
      },
    });
  }
}

/** The form that the model has learned so far. */
interface Kept {
  readonly form: RequestForm;
  readonly keep: (form: RequestForm) => void;
}

/** The requests of one call. */
export class AdaptedRequest {
  readonly #request: ModelRequest;
  readonly #settings: FormSettings;
  readonly #kept: Kept;
  readonly #sent = new Set<string>();
  #form: RequestForm;

  constructor(request: ModelRequest, settings: FormSettings, kept: Kept) {
    this.#request = request;
    this.#settings = settings;
    this.#kept = kept;
    this.#form = kept.form;
  }

  /** The answer to the last request has begun. @returns The form that it had, if this call has found it out. */
  taken(): LearnedForm | null {
    if (this.#sent.size < 2) return null;
    const form = this.#form;
    this.#kept.keep(form);
    return { author: this.#settings.by, form };
  }

  /**
   * Sends the request, and again in another form as often as a refusal is about the form and none was sent twice.
   * @param post Rejects with anything but a success. @throws as the last request does.
   */
  async send<Answer>(post: (form: RequestForm) => Promise<Answer>): Promise<Answer> {
    const { base, refusalOf } = this.#settings;
    for (;;) {
      this.#sent.add(JSON.stringify(this.#form));
      try {
        return await post({ ...base, ...this.#form });
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal || !this.refused(refusal)) throw error;
      }
    }
  }

  /** The last request was refused, also within its answer. @returns Whether {@link send} has another form now. */
  refused(refusal: EndpointRefusal): boolean {
    if (!STATUSES.includes(refusal.status)) return false;
    const { adaptations, by, base } = this.#settings;
    const refused = { request: this.#request, form: { ...base, ...this.#form }, by };
    for (const adaptation of adaptations) {
      const change = adaptation(refusal, refused);
      if (!change) continue;
      const form = { ...this.#form, ...change };
      if (this.#sent.has(JSON.stringify(form)) || this.#sent.size > MAX_ADAPTED_REQUESTS) {
        return false;
      }
      this.#form = form;
      return true;
    }
    return false;
  }
}

/** Characters of a refusal that are searched. */
const MAX_WORDS = 4_000;

/** @param error The provider's error as it was read: its own words may be in members that no one knows. */
export function refusalFrom(
  status: number,
  message: string | undefined,
  error: unknown,
): EndpointRefusal {
  const json = error === undefined ? "" : (JSON.stringify(error) ?? "");
  // Names are often in quotes, which JSON escapes.
  const words = `${message ?? ""}\n${json}`.slice(0, MAX_WORDS).replaceAll('\\"', '"');
  return { status, words };
}
