/** The names of tools, those of providers left out, which have none. */
export function namesOf(tools: readonly unknown[]): string[] {
  return tools.flatMap((tool) =>
    typeof tool === "object" && tool !== null && "name" in tool && typeof tool.name === "string"
      ? [tool.name]
      : [],
  );
}
