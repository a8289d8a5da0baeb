/**
 * Notes the server's clock from the answer to a command. The returned function gives the time, once there was an answer
 * that named it.
 */
export function serverTimeOf(command: object): () => Date | undefined {
  let time: Date | undefined;
  (command as Answerable).middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const date = Date.parse(result.response?.headers?.["date"] ?? "");
      if (!Number.isNaN(date)) time = new Date(date);
      return result;
    },
    { step: "deserialize", priority: "low", name: "serverTime" },
  );
  return () => time;
}

interface Answer {
  readonly response?: { readonly headers?: Readonly<Record<string, string>> };
}

/** The part of an SDK's command that lets its answer be seen. */
interface Answerable {
  readonly middlewareStack: {
    add(
      middleware: (next: (args: never) => Promise<Answer>) => (args: never) => Promise<Answer>,
      options: { step: "deserialize"; priority: "low"; name: string },
    ): void;
  };
}
