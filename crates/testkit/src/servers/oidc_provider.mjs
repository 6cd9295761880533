// An OpenID provider for tests: anybody signs in with any password, and whoever's name begins
// with "doubtful" has an address that nobody has verified.
//
// node oidc_provider.mjs <oidc-provider's main file> <port>
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";

const [, , module, port] = process.argv;
const { default: Provider } = await import(pathToFileURL(module));
const issuer = `http://127.0.0.1:${port}`;

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = { ...privateKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig" };

const provider = new Provider(issuer, {
  jwks: { keys: [key] },
  clients: [
    { client_id: "ferrotype", client_secret: "a secret: with / signs", redirect_uris: [`${issuer}/`] },
  ],
  claims: { email: ["email", "email_verified"], profile: ["name"] },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `${id} of ${port}`,
      email: `${id}@example.org`,
      email_verified: !id.startsWith("doubtful"),
    }),
  }),
  pkce: { required: () => true },
  cookies: { keys: ["for tests"] },
});
// Tests listen on ports that nobody knows before.
provider.Client.prototype.redirectUriAllowed = (uri) =>
  /^http:\/\/127\.0\.0\.1:\d+\/auth\/oidc\/callback$/.test(uri);
provider.listen(Number(port), "127.0.0.1");
