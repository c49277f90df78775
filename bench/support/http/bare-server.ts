/** An empty Fastify route in a child process: parses a JSON body, and answers with a small JSON document. */
import fastify from 'fastify';

const app = fastify();
app.post('/*', (_request, reply) => {
  void reply.send({
    appended: 2,
    known: 0,
    messages: 2,
    turn: 1,
    occupancy: 1_000,
    window: 200_000,
    state: 'ok',
  });
});
process.stdout.write(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`);
process.on('SIGTERM', () => void app.close());
