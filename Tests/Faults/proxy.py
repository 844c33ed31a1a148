"""A TCP proxy between a farm's processes and one of its servers, which can lose, hold back and slow down the traffic."""
import asyncio
import threading


class Proxy:
    """Passes connections on to a server. `mode` says what happens to them, and may be set at any time:

    - `pass`: everything is passed on at once.
    - `hold`: connections stay open and nothing passes, in neither direction, as when a network is cut.
    - `refuse`: connections are reset, and so are new ones.
    - a number: everything is passed on so many seconds later.
    """

    # One thread serves all proxies.
    _loop = None

    def __init__(self, server):
        """Listens on a port of its own, `port`, for the server on another port of this machine."""
        self.server, self.mode, self._writers = server, "pass", set()
        if Proxy._loop is None:
            Proxy._loop = asyncio.new_event_loop()
            threading.Thread(target=Proxy._loop.run_forever, daemon=True).start()
        listening = asyncio.run_coroutine_threadsafe(asyncio.start_server(self._accept, "127.0.0.1", 0), Proxy._loop)
        self.port = listening.result().sockets[0].getsockname()[1]

    def refuse(self):
        """Resets all connections, and new ones until the mode is another."""
        self.mode = "refuse"
        self.cut()

    def cut(self):
        """Resets all connections. New ones are passed on."""
        self._loop.call_soon_threadsafe(self._cut)

    def _cut(self):
        for writer in list(self._writers):
            writer.transport.abort()

    async def _accept(self, reader, writer):
        if self.mode == "refuse":
            writer.transport.abort()
            return
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.server)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, server_writer}
        self._writers |= ends
        await asyncio.gather(self._pass(reader, server_writer), self._pass(server_reader, writer))
        self._writers -= ends

    async def _pass(self, reader, writer):
        try:
            while chunk := await reader.read(1 << 16):
                while self.mode == "hold":
                    await asyncio.sleep(0.05)
                if isinstance(self.mode, float):
                    await asyncio.sleep(self.mode)
                writer.write(chunk)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()
