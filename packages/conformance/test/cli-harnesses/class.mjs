import { MemoryBackend } from "@fs/protocol";

export default class MyBackend extends MemoryBackend {}
