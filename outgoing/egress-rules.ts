/** The variables of the deployment that say where requests for tenants may go. */
export interface EgressBindings {
  readonly ENVIRONMENT: string;
  readonly LOOPBACK_PORTS?: string;
  readonly ALLOWED_SPECIAL_NAMES?: string;
}

/** Destinations of requests for tenants beyond the public Internet. */
export interface EgressRules {
  /** Loopback, also by http://, is allowed in `local` only. */
  readonly environment: string;
  /** The loopback ports allowed then, such as `8080,8081`; all when left out. */
  readonly loopbackPorts?: string;
  /** Host names that are allowed, with all below them, although the public Internet has none of them: `corp,example`. */
  readonly allowedNames?: string;
}

export function egressRules(env: EgressBindings): EgressRules {
  return {
    environment: env.ENVIRONMENT,
    loopbackPorts: env.LOOPBACK_PORTS,
    allowedNames: env.ALLOWED_SPECIAL_NAMES,
  };
}
