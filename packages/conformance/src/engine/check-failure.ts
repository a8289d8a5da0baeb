/** A behaviour that is not as its rule says. */
export class CheckFailure extends Error {
  /** The rule that is broken, where it is another than the case's first. */
  readonly rule: string | undefined;
  /** Expected against received, ready to print. */
  readonly difference: string | undefined;

  constructor(message: string, options: { rule?: string | undefined; difference?: string } = {}) {
    super(message);
    this.name = "CheckFailure";
    this.rule = options.rule;
    this.difference = options.difference;
  }
}

/** The case cannot tell right from wrong here: what it needs to see did not happen. */
export class Inconclusive extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Inconclusive";
  }
}

/** The case turned out not to apply, for a reason that only running it could tell. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotApplicable";
  }
}

/** The harness does not offer what the case needs: the rule is neither kept nor broken, it was not looked at. */
export class Untested extends NotApplicable {
  constructor(message: string) {
    super(message);
    this.name = "Untested";
  }
}
