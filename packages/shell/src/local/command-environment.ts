/** What a command needs to find programs and print Unicode. Nothing else of this process's environment is passed on. */
const NEEDED = ["PATH", "LANG", "LC_ALL", "TZ"] as const;

export interface EnvironmentOptions {
  /** Variables of the command; they win over all others. */
  env?: Record<string, string> | undefined;
  /** Pass on everything this process has, its secrets included. Default `false`. */
  inheritEnv?: boolean | undefined;
}

/** The whole environment of a command whose home is `home`. */
export function commandEnvironment(
  { env = {}, inheritEnv = false }: EnvironmentOptions,
  home: string,
): Record<string, string> {
  const inherited: Record<string, string> = { LANG: "C.UTF-8", HOME: home };
  const names = inheritEnv ? Object.keys(process.env) : NEEDED;
  for (const name of names) {
    const value = process.env[name];
    if (value !== undefined) inherited[name] = value;
  }
  return { ...inherited, ...env };
}
