export default {
  name: "throws in create",
  create: () => {
    throw new Error("no server at all");
  },
};
