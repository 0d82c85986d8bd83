/** The result with which a person ends a call that waits for a sign-in; it takes no other. */
export const REFUSED_SIGN_IN = {
  output: "The person refused to sign in: nothing was done.",
  state: "error",
} as const;
