import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { S3Backend, type S3BackendOptions } from "@fs/s3";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.js";
import { type Deletes, startGateway, type Gateway } from "./gateway.js";

/** A real gateway behind a proxy that breaks what a test plans, and backends on both sides of it. */
export class FaultyGateway {
  readonly gateway: Gateway;
  readonly proxy: FaultProxy;
  /** Through the proxy. */
  readonly client: S3Client;
  readonly #config: S3ClientConfig;
  #cases = 0;

  private constructor(gateway: Gateway, proxy: FaultProxy, config: S3ClientConfig) {
    this.gateway = gateway;
    this.proxy = proxy;
    this.#config = config;
    this.client = this.throughProxy();
  }

  /** @param config Of every client through the proxy. Its waits are long enough for a gateway on a busy machine: only faults are to fail. */
  static async start(config: S3ClientConfig, deletes?: Deletes): Promise<FaultyGateway> {
    const gateway = await startGateway(deletes);
    const proxy = await startFaultProxy(gateway.endpoint);
    const faulty = new FaultyGateway(gateway, proxy, config);
    // The client's first write asks what the server can do, which is not to meet a fault.
    await faulty.make(faulty.client).write("/probed", "x");
    return faulty;
  }

  /** Ends every fault. From then on there are no files, through the proxy (`backend`) and past it (`witness`). */
  next(): { backend: S3Backend; witness: S3Backend } {
    this.proxy.plan(() => undefined);
    this.#cases++;
    return { backend: this.make(this.client), witness: this.make(this.gateway.client()) };
  }

  throughProxy(overrides: S3ClientConfig = {}): S3Client {
    return this.gateway.client({ endpoint: this.proxy.endpoint, ...this.#config, ...overrides });
  }

  /** Of the keys of the present test. */
  get prefix(): string {
    return `case-${this.#cases}`;
  }

  /** A backend on the files of the present test. */
  make(client: S3Client, options: Partial<S3BackendOptions> = {}): S3Backend {
    const { bucket } = this.gateway;
    return new S3Backend({ client, bucket, prefix: this.prefix, ...options });
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await this.gateway.stop();
  }
}
