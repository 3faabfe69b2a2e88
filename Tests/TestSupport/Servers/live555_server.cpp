// A real RTSP server for tests: LIVE555's library, which printers' cameras are made of; only the configuration is ours.
//     live555_server VIDEO.264 PORT [CERTIFICATE KEY]
#include <BasicUsageEnvironment.hh>
#include <cstdlib>
#include <liveMedia.hh>

int main(int count, char **arguments) {
    if (count != 3 && count != 5) return 64;
    TaskScheduler *scheduler = BasicTaskScheduler::createNew();
    UsageEnvironment *environment = BasicUsageEnvironment::createNew(*scheduler);
    OutPacketBuffer::maxSize = 300000;
    auto *users = new UserAuthenticationDatabase;
    users->addUserRecord("bblp", "12345678");
    RTSPServer *server = RTSPServer::createNew(*environment, Port(atoi(arguments[2])), users);
    if (server == nullptr) return 1;
    if (count == 5) server->setTLSState(arguments[3], arguments[4], False, False);
    auto *session = ServerMediaSession::createNew(*environment, "streaming/live/1", "", "rtsp stream server");
    session->addSubsession(H264VideoFileServerMediaSubsession::createNew(*environment, arguments[1], False));
    server->addServerMediaSession(session);
    *environment << "ready\n";
    scheduler->doEventLoop();
}
