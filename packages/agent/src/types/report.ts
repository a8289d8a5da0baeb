/** Where an error came from that was not thrown, such as `skills`, `memory`, `summary` or `tool search`. */
export interface ErrorPlace {
  readonly where: string;
}

/** Called with every error that the agent went on from. For the operator's log; nothing of it reaches the model. */
export type OnError = (error: unknown, place: ErrorPlace) => void;

/** An `onError` that cannot break the run: what it throws itself is dropped on purpose, there is nobody left to report it to. */
export function reporter(onError: OnError | undefined): OnError {
  return (error, place) => {
    if (onError === undefined) return;
    try {
      onError(error, place);
    } catch (broken) {
      process.emitWarning(`onError threw: ${broken instanceof Error ? broken.name : "an error"}`);
    }
  };
}
